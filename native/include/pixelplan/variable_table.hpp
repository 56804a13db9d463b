// Least depths of variables' values, and of conjunctions of them: the novelty table of the console's
// memory and of blocks of pixels.
//
// A state is one byte per variable. Single values have an array, in which equal values of neighbouring
// variables lie side by side: blocks of pixels mostly look like their neighbours. Conjunctions are
// enumerated for each state, and those that occurred are kept in a hash table. Most values of a state
// are those of the root: of the least deep state that was entered the table keeps a copy, and values that
// a deeper state shares with it need not be looked up, for they cannot be novel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pixelplan/depth_map.hpp"
#include "pixelplan/novelty.hpp"

namespace pixelplan {

class VariableTable {
  public:
    // A table of `variables` with `values` each, for conjunctions of up to `width` of them.
    VariableTable(std::size_t variables, std::size_t values, int width);

    // Whether each conjunction can have a key of its own in 64 bits.
    static bool has_keys(std::size_t variables, std::size_t values, int width);

    // Improves: some conjunction was never reached at `depth` or above. Ties: not so, but the least
    // depth of some conjunction is `depth`. Worse: otherwise.
    Novelty compare(std::span<const std::uint8_t> state, int depth) const;

    // The same answer; and no conjunction's least depth is more than `depth` afterwards.
    Novelty update(std::span<const std::uint8_t> state, int depth);

    void clear();

    std::size_t variables() const { return variables_; }
    std::size_t values() const { return values_; }

    // How many conjunctions were reached, single values included.
    std::size_t size() const { return reached_.size() + conjunctions_.size(); }

  private:
    std::size_t atom(std::span<const std::uint8_t> state, std::size_t variable) const {
        return state[variable] * variables_ + variable;
    }

    template <typename Visit>
    void visit_values(std::span<const std::uint8_t> state, Depth depth, Visit&& visit) const;
    template <typename Visit>
    bool visit_conjunctions(std::span<const std::uint8_t> state, std::size_t first, std::uint64_t key, int size,
                            Visit&& visit) const;

    std::size_t variables_;
    std::size_t values_;
    int width_;
    std::vector<Depth> least_;
    std::vector<std::size_t> reached_;   // the atoms that have a depth, so that clearing looks at no others
    DepthMap conjunctions_;              // of two atoms and more
    std::vector<std::uint8_t> shallow_;  // a state that was entered at `shallow_depth_`
    Depth shallow_depth_ = kNeverReached;
};

}  // namespace pixelplan
