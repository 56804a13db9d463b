// The table d of Rollout IW(1): for each B-PROST atom the least depth at which it was reached.
//
// Problem: a screen has tens of thousands of true atoms, and a node is compared with the table on
// every visit. Solution: memory only for the colours and colour pairs that occurred, one block of
// depths each, over which a compiler vectorises; and a memo, for each two planes that were looked
// at together, of a depth by which all their atoms were reached. Most planes of a screen are those
// of its parent, so the memo answers for most pairs, and only what moved is looked at atom by atom.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "pixelplan/bprost.hpp"
#include "pixelplan/novelty.hpp"
#include "pixelplan/tiles.hpp"

namespace pixelplan {

// The least depths of a colour pair's offsets, or of a colour's tiles, in rows of 32. Most answers
// need the summary of a row alone, and what lies in few cache lines is what makes a table fast.
inline constexpr int kDepthColumns = 32;
struct DepthBlock {
    std::array<std::uint32_t, kOffsetRows> reached;  // bit c of a row: its column c was reached
    std::array<Depth, kOffsetRows> deepest;          // no depth in the row is greater
    alignas(64) std::array<std::array<Depth, kDepthColumns>, kOffsetRows> rows;
};

class NoveltyTable {
  public:
    // `in_space`: whether pairs of one screen, B-PROS, are judged. Pairs in time are if there is a screen before.
    explicit NoveltyTable(bool in_space = true);

    // Improves: some atom was never reached at `depth` or above. Ties: not so, but the least depth of
    // some atom is `depth`. Worse: otherwise. `previous` is the screen before, or empty.
    Novelty compare(std::span<const Plane> current, std::span<const Plane> previous, int depth);

    // The same answer; and no atom's least depth is more than `depth` afterwards.
    Novelty update(std::span<const Plane> current, std::span<const Plane> previous, int depth);

    // The atoms that make a screen improve the table, sorted. Slow.
    std::vector<std::uint32_t> explain(std::span<const Plane> current, std::span<const Plane> previous,
                                       int depth) const;

    void clear();

    // How many colours and colour pairs hold memory.
    std::size_t blocks() const { return keys_.size(); }

  private:
    // A distinct plane met since the last clear. All its tiles were reached by depth `reached_by`.
    struct KnownPlane {
        Plane plane;
        PlaneLanes lanes;
        Depth reached_by;
    };

    // All offsets between two planes were reached by depth `reached_by`. Void if of another epoch.
    struct Memo {
        std::uint32_t plane;  // twice its number, plus 1 for the family B-PROT
        std::uint32_t partner;
        std::uint32_t epoch;
        Depth reached_by;
    };

    void know(std::span<const Plane> planes, std::vector<std::uint32_t>& ids);
    std::uint32_t know(const Plane& plane);
    void rehash_planes(std::size_t slots);
    Memo& recall(Family family, std::uint32_t plane, std::uint32_t partner);
    DepthBlock& block_for(std::size_t key);
    Depth least_depth(const Atom& atom) const;

    template <typename Visit>
    void visit_planes_and_pairs(std::span<const Plane> current, std::span<const Plane> previous, Visit&& visit);

    bool in_space_;
    std::vector<std::int32_t> block_of_key_;
    std::vector<std::size_t> keys_;  // of the blocks in use, in order
    std::deque<DepthBlock> blocks_;  // kept when cleared

    std::vector<KnownPlane> planes_;
    std::vector<std::uint32_t> plane_slots_;
    std::vector<Memo> memos_;
    std::uint32_t epoch_ = 1;

    std::vector<std::uint32_t> current_ids_;
    std::vector<std::uint32_t> previous_ids_;
};

}  // namespace pixelplan
