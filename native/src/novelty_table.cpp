#include "pixelplan/novelty_table.hpp"

#include <algorithm>
#include <cstring>

#include "pixelplan/dispatch.hpp"

namespace pixelplan {
namespace {

constexpr std::int32_t kNoBlock = -1;
constexpr std::uint32_t kNoPlane = UINT32_MAX;
constexpr std::size_t kFirstPlaneSlots = 1024;
constexpr std::size_t kMemos = std::size_t{1} << 15;
constexpr std::size_t kMemosPerPlane = 32;
constexpr int kLanes = 16;

using LaneFlags = std::array<std::int16_t, kLanes>;

constexpr std::array<std::uint16_t, kLanes> kLaneBits = [] {
    std::array<std::uint16_t, kLanes> bits{};
    for (int lane = 0; lane < kLanes; ++lane) bits[lane] = static_cast<std::uint16_t>(1u << lane);
    return bits;
}();

bool any(const LaneFlags& flags) {
    return std::any_of(flags.begin(), flags.end(), [](std::int16_t flag) { return flag != 0; });
}

// Compares 16 least depths with `depth` where `bits` are set, and lowers them to it.
inline void lower_lanes(std::uint16_t bits, Depth depth, Depth* least, LaneFlags& improves, LaneFlags& ties) {
    for (int lane = 0; lane < kLanes; ++lane) {
        const auto is_true = static_cast<std::int16_t>(-((bits & kLaneBits[lane]) != 0));
        const auto is_later = static_cast<std::int16_t>(-(least[lane] > depth) & is_true);
        ties[lane] |= static_cast<std::int16_t>(-(least[lane] == depth) & is_true);
        improves[lane] |= is_later;
        least[lane] = static_cast<Depth>((depth & is_later) | (least[lane] & ~is_later));
    }
}

// Compares the depths of a map's bits with `depth` and lowers them to it.
PIXELPLAN_CLONES Verdict lower(const BitRows& map, Depth depth, DepthBlock& block) {
    LaneFlags improves{};
    LaneFlags ties{};
    for (int row = map.first; row < map.end; ++row) {
        const std::uint32_t bits = map.rows[row];
        const bool is_new = (bits & ~block.reached[row]) != 0;
        if (!is_new && (bits == 0 || block.deepest[row] < depth)) continue;
        Depth* least = block.rows[row].data();
        lower_lanes(static_cast<std::uint16_t>(bits), depth, least, improves, ties);
        lower_lanes(static_cast<std::uint16_t>(bits >> kLanes), depth, least + kLanes, improves, ties);
        block.reached[row] |= bits;
        block.deepest[row] = std::max(block.deepest[row], depth);
    }
    return {any(improves), any(ties)};
}

// The same answer, without lowering anything.
PIXELPLAN_CLONES Verdict judge(const BitRows& map, Depth depth, const DepthBlock& block) {
    LaneFlags improves{};
    LaneFlags ties{};
    for (int row = map.first; row < map.end; ++row) {
        const std::uint32_t bits = map.rows[row];
        if ((bits & ~block.reached[row]) != 0) return {true, false};
        if (bits == 0 || block.deepest[row] < depth) continue;
        std::array<Depth, kDepthColumns> least = block.rows[row];
        lower_lanes(static_cast<std::uint16_t>(bits), depth, least.data(), improves, ties);
        lower_lanes(static_cast<std::uint16_t>(bits >> kLanes), depth, least.data() + kLanes, improves, ties);
    }
    return {any(improves), any(ties)};
}

BitRows tiles(const PlaneLanes& plane) { return {plane.forward.data(), plane.first_row, plane.end_row}; }

constexpr std::size_t key_of(Family family, int colour, int other) {
    switch (family) {
        case Family::kBasic:
            return colour;
        case Family::kSpace:
            return kColours + kColours * colour + other;
        default:
            return kColours + kColours * (kColours + colour) + other;
    }
}

constexpr std::size_t kKeys = kColours + 2 * kColours * kColours;

std::size_t hash_of(const Plane& plane) {
    std::array<std::uint64_t, 4> words{};
    std::memcpy(words.data(), &plane, sizeof plane);
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

}  // namespace

NoveltyTable::NoveltyTable(bool in_space) : in_space_(in_space), block_of_key_(kKeys, kNoBlock), memos_(kMemos) {
    rehash_planes(kFirstPlaneSlots);
}

// Calls visit(family, colour, other colour, reached_by, make_map) for each plane and each pair of planes.
template <typename Visit>
void NoveltyTable::visit_planes_and_pairs(std::span<const Plane> current, std::span<const Plane> previous,
                                          Visit&& visit) {
    know(current, current_ids_);
    know(previous, previous_ids_);
    OffsetMap map;
    for (std::size_t i = 0; i < current.size(); ++i) {
        const std::uint32_t id = current_ids_[i];
        const int colour = current[i].colour;
        visit(Family::kBasic, colour, colour, planes_[id].reached_by, [&] { return tiles(planes_[id].lanes); });
        const auto visit_pair = [&](Family family, const Plane& other, std::uint32_t other_id) {
            visit(family, colour, other.colour, recall(family, id, other_id).reached_by,
                  [&] { return offsets(planes_[id].lanes, planes_[other_id].lanes, map); });
        };
        for (std::size_t j = i; in_space_ && j < current.size(); ++j)
            visit_pair(Family::kSpace, current[j], current_ids_[j]);
        for (std::size_t j = 0; j < previous.size(); ++j) visit_pair(Family::kTime, previous[j], previous_ids_[j]);
    }
}

Novelty NoveltyTable::compare(std::span<const Plane> current, std::span<const Plane> previous, int depth) {
    bool improves = false;
    bool ties = false;
    const auto target = static_cast<Depth>(depth);
    visit_planes_and_pairs(
        current, previous, [&](Family family, int colour, int other, Depth& reached_by, auto&& make_map) {
            const bool can_tell_more = reached_by > target || (reached_by == target && !ties);
            if (improves || !can_tell_more) return;
            const Verdict verdict = judge(make_map(), target, block_for(key_of(family, colour, other)));
            improves |= verdict.improves;
            ties |= verdict.ties;
            if (!verdict.improves) reached_by = target;
        });
    return improves ? Novelty::kImproves : ties ? Novelty::kTies : Novelty::kWorse;
}

Novelty NoveltyTable::update(std::span<const Plane> current, std::span<const Plane> previous, int depth) {
    bool improves = false;
    bool ties = false;
    bool may_tie = false;
    const auto target = static_cast<Depth>(depth);
    visit_planes_and_pairs(
        current, previous, [&](Family family, int colour, int other, Depth& reached_by, auto&& make_map) {
            may_tie |= reached_by == target;
            if (reached_by <= target) return;
            const Verdict verdict = lower(make_map(), target, block_for(key_of(family, colour, other)));
            improves |= verdict.improves;
            ties |= verdict.ties;
            reached_by = target;
        });
    if (improves) return Novelty::kImproves;
    if (ties) return Novelty::kTies;
    return may_tie ? compare(current, previous, depth) : Novelty::kWorse;
}

std::vector<std::uint32_t> NoveltyTable::explain(std::span<const Plane> current, std::span<const Plane> previous,
                                                 int depth) const {
    std::vector<Atom> atoms = list_atoms(current, previous, in_space_);
    std::erase_if(atoms, [&](const Atom& atom) { return least_depth(atom) <= depth; });
    return TileNumbering::numbers(atoms);
}

void NoveltyTable::clear() {
    for (const std::size_t key : keys_) block_of_key_[key] = kNoBlock;
    keys_.clear();
    planes_.clear();
    std::fill(plane_slots_.begin(), plane_slots_.end(), kNoPlane);
    ++epoch_;
}

void NoveltyTable::know(std::span<const Plane> planes, std::vector<std::uint32_t>& ids) {
    ids.clear();
    for (const Plane& plane : planes) ids.push_back(know(plane));
}

std::uint32_t NoveltyTable::know(const Plane& plane) {
    if (2 * planes_.size() >= plane_slots_.size()) rehash_planes(2 * plane_slots_.size());
    const std::size_t mask = plane_slots_.size() - 1;
    std::size_t slot = hash_of(plane) & mask;
    for (; plane_slots_[slot] != kNoPlane; slot = (slot + 1) & mask) {
        if (planes_[plane_slots_[slot]].plane == plane) return plane_slots_[slot];
    }
    plane_slots_[slot] = static_cast<std::uint32_t>(planes_.size());
    planes_.push_back({plane, PlaneLanes(plane), kNeverReached});
    return plane_slots_[slot];
}

void NoveltyTable::rehash_planes(std::size_t slots) {
    plane_slots_.assign(slots, kNoPlane);
    for (std::uint32_t id = 0; id < planes_.size(); ++id) {
        std::size_t slot = hash_of(planes_[id].plane) & (slots - 1);
        while (plane_slots_[slot] != kNoPlane) slot = (slot + 1) & (slots - 1);
        plane_slots_[slot] = id;
    }
}

// Two pairs may share a place; the later one takes it, and the earlier is looked at again when met.
// Planes of one screen were mostly met one after the other, so their places lie side by side.
NoveltyTable::Memo& NoveltyTable::recall(Family family, std::uint32_t plane, std::uint32_t partner) {
    plane = 2 * plane + (family == Family::kTime);
    Memo& memo = memos_[(kMemosPerPlane * plane + partner) % kMemos];
    if (memo.plane != plane || memo.partner != partner || memo.epoch != epoch_) {
        memo = {plane, partner, epoch_, kNeverReached};
    }
    return memo;
}

DepthBlock& NoveltyTable::block_for(std::size_t key) {
    if (block_of_key_[key] == kNoBlock) {
        block_of_key_[key] = static_cast<std::int32_t>(keys_.size());
        keys_.push_back(key);
        if (blocks_.size() < keys_.size()) blocks_.emplace_back();
        DepthBlock& block = blocks_[keys_.size() - 1];
        block.reached.fill(0);
        block.deepest.fill(-1);
        for (auto& row : block.rows) row.fill(kNeverReached);
    }
    return blocks_[block_of_key_[key]];
}

Depth NoveltyTable::least_depth(const Atom& atom) const {
    const std::int32_t block = block_of_key_[key_of(atom.family, atom.colour, atom.other)];
    if (block == kNoBlock) return kNeverReached;
    if (atom.family == Family::kBasic) return blocks_[block].rows[atom.row][atom.column];
    return blocks_[block].rows[kRows - 1 + atom.row][kColumns - 1 + atom.column];
}

}  // namespace pixelplan
