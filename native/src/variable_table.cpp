#include "pixelplan/variable_table.hpp"

#include <algorithm>
#include <cstring>

namespace pixelplan {

VariableTable::VariableTable(std::size_t variables, std::size_t values, int width)
    : variables_(variables), values_(values), width_(width), least_(variables * values, kNeverReached) {}

bool VariableTable::has_keys(std::size_t variables, std::size_t values, int width) {
    const std::uint64_t base = variables * values + 1;
    std::uint64_t keys = 1;
    for (int size = 0; size < width; ++size) {
        if (keys > UINT64_MAX / base) return false;
        keys *= base;
    }
    return true;
}

// Calls visit(atom) for the value of each variable, but not for all that the shallow state has too, if
// that was less deep than `depth`.
template <typename Visit>
void VariableTable::visit_values(std::span<const std::uint8_t> state, Depth depth, Visit&& visit) const {
    constexpr std::size_t kGroup = 8;
    for (std::size_t start = 0; start < variables_; start += kGroup) {
        const std::size_t size = std::min(kGroup, variables_ - start);
        if (shallow_depth_ < depth && size == kGroup &&
            std::memcmp(state.data() + start, shallow_.data() + start, kGroup) == 0) {
            continue;
        }
        for (std::size_t variable = start; variable < start + size; ++variable) visit(atom(state, variable));
    }
}

// Calls visit(key) for each conjunction of two values and more that extends the one of `size` values
// with this `key` by variables from `first` on, until one is told to be enough; says whether one was.
// A key is a number whose digits are the conjunction's atoms, from 1 on.
template <typename Visit>
bool VariableTable::visit_conjunctions(std::span<const std::uint8_t> state, std::size_t first, std::uint64_t key,
                                       int size, Visit&& visit) const {
    for (std::size_t variable = first; variable < variables_; ++variable) {
        const std::uint64_t longer = key * (least_.size() + 1) + atom(state, variable) + 1;
        if (size > 0 && visit(longer)) return true;
        if (size + 1 < width_ && visit_conjunctions(state, variable + 1, longer, size + 1, visit)) return true;
    }
    return false;
}

Novelty VariableTable::compare(std::span<const std::uint8_t> state, int depth) const {
    const auto target = static_cast<Depth>(depth);
    Verdict verdict;
    visit_values(state, target, [&](std::size_t atom) { verdict.add(least_[atom], target); });
    if (width_ > 1 && !verdict.improves) {
        visit_conjunctions(state, 0, 0, 0, [&](std::uint64_t key) {
            verdict.add(conjunctions_.get(key), target);
            return verdict.improves;
        });
    }
    return verdict.novelty();
}

Novelty VariableTable::update(std::span<const std::uint8_t> state, int depth) {
    const auto target = static_cast<Depth>(depth);
    Verdict verdict;
    visit_values(state, target, [&](std::size_t atom) {
        verdict.add(least_[atom], target);
        if (least_[atom] == kNeverReached) reached_.push_back(atom);
        if (least_[atom] > target) least_[atom] = target;
    });
    if (target <= shallow_depth_) {
        shallow_.assign(state.begin(), state.end());
        shallow_depth_ = target;
    }
    if (width_ > 1) {
        visit_conjunctions(state, 0, 0, 0, [&](std::uint64_t key) {
            Depth& least = conjunctions_.at(key);
            verdict.add(least, target);
            if (least > target) least = target;
            return false;
        });
    }
    return verdict.novelty();
}

void VariableTable::clear() {
    for (const std::size_t atom : reached_) least_[atom] = kNeverReached;
    reached_.clear();
    conjunctions_.clear();
    shallow_depth_ = kNeverReached;
}

}  // namespace pixelplan
