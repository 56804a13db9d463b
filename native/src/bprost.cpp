#include "pixelplan/bprost.hpp"

#include <algorithm>
#include <bit>

#include "pixelplan/dispatch.hpp"

namespace pixelplan {
namespace {

static_assert(TileNumbering::kBasicAtoms == 28'672);
static_assert(TileNumbering::kSpaceAtoms == 6'856'768);
static_assert(TileNumbering::kTimeAtoms == 13'713'408);
static_assert(TileNumbering::kAtoms == 20'598'848);

std::uint16_t reversed(std::uint16_t row) {
    std::uint16_t result = 0;
    for (int column = 0; column < kColumns; ++column) {
        if (row >> column & 1) result |= static_cast<std::uint16_t>(1u << (kColumns - 1 - column));
    }
    return result;
}

// ORs `lanes`, shifted by each set bit of each row of `sparse`, into the rows from that one on.
inline OffsetMap spread(const std::array<std::uint32_t, PlaneLanes::kLanes>& sparse,
                        const std::array<std::uint32_t, PlaneLanes::kLanes>& lanes) {
    OffsetMap map{};
    for (int row = 0; row < kRows; ++row) {
        for (std::uint32_t bits = sparse[row]; bits != 0; bits &= bits - 1) {
            const int shift = std::countr_zero(bits);
            for (int lane = 0; lane < PlaneLanes::kLanes; ++lane) map[row + lane] |= lanes[lane] << shift;
        }
    }
    return map;
}

void list_basic(const Plane& plane, std::vector<Atom>& result) {
    for (int row = 0; row < kRows; ++row) {
        for (unsigned bits = plane.rows[row]; bits != 0; bits &= bits - 1) {
            result.push_back({Family::kBasic, plane.colour, plane.colour, std::countr_zero(bits), row});
        }
    }
}

void list_pairs(Family family, const Plane& plane, const Plane& other, std::vector<Atom>& result) {
    OffsetMap map;
    offsets(PlaneLanes(plane), PlaneLanes(other), map);
    for (int row = 0; row < kOffsetRows; ++row) {
        for (std::uint32_t bits = map[row]; bits != 0; bits &= bits - 1) {
            const int column = std::countr_zero(bits) - (kColumns - 1);
            result.push_back({family, plane.colour, other.colour, column, row - (kRows - 1)});
        }
    }
}

}  // namespace

PlaneLanes::PlaneLanes(const Plane& plane) : forward{}, turned{}, tiles{0}, first_row{kRows}, end_row{0} {
    for (int row = 0; row < kRows; ++row) {
        forward[row] = plane.rows[row];
        turned[kRows - 1 - row] = reversed(plane.rows[row]);
        tiles += std::popcount(plane.rows[row]);
        if (plane.rows[row] == 0) continue;
        first_row = std::min(first_row, row);
        end_row = row + 1;
    }
}

PIXELPLAN_CLONES BitRows offsets(const PlaneLanes& plane, const PlaneLanes& other, OffsetMap& map) {
    // The map is the sum of the plane and the other one turned, in either order: the cost is the
    // number of tiles of the one whose bits are walked.
    map = plane.tiles <= other.tiles ? spread(plane.forward, other.turned) : spread(other.turned, plane.forward);
    return {map.data(), kRows + plane.first_row - other.end_row, kRows - 1 + plane.end_row - other.first_row};
}

std::vector<Atom> list_atoms(std::span<const Plane> current, std::span<const Plane> previous, bool in_space) {
    std::vector<Atom> result;
    for (std::size_t i = 0; i < current.size(); ++i) {
        list_basic(current[i], result);
        const std::span<const Plane> beside = in_space ? current.subspan(i) : std::span<const Plane>{};
        for (const Plane& other : beside) list_pairs(Family::kSpace, current[i], other, result);
        for (const Plane& other : previous) list_pairs(Family::kTime, current[i], other, result);
    }
    return result;
}

}  // namespace pixelplan
