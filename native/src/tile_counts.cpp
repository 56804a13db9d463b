#include "pixelplan/tile_counts.hpp"

#include <bit>
#include <cstddef>

namespace pixelplan {
namespace {

// Calls visit(index) for each colour in each tile, in the same order always: sums are the same too.
template <typename Visit>
void visit_tiles(std::span<const Plane> planes, Visit&& visit) {
    for (const Plane& plane : planes) {
        for (int row = 0; row < kRows; ++row) {
            for (unsigned bits = plane.rows[row]; bits != 0; bits &= bits - 1) {
                visit(std::size_t{plane.colour} * (kRows * kColumns) + row * kColumns + std::countr_zero(bits));
            }
        }
    }
}

}  // namespace

TileCounts::TileCounts() : counts_(kColours * kRows * kColumns, 0), worths_(counts_.size(), 1.0) {}

void TileCounts::note(std::span<const Plane> planes) {
    visit_tiles(planes, [&](std::size_t index) { worths_[index] = 1.0 / (1.0 + ++counts_[index]); });
}

double TileCounts::rarity(std::span<const Plane> planes) const {
    double sum = 0;
    visit_tiles(planes, [&](std::size_t index) { sum += worths_[index]; });
    return sum;
}

}  // namespace pixelplan
