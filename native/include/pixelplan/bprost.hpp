// B-PROST: pairs of basic features and the offset between their tiles, in one screen (B-PROS) and
// between a screen and the one before it (B-PROT).
//
// The atoms of a pair of planes are never listed on the hot path: `offsets` gives them as a bit
// map of 27 x 31 offsets. `list_atoms` names them one by one, for tests and explanations.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pixelplan/numbering.hpp"
#include "pixelplan/tiles.hpp"

namespace pixelplan {

inline constexpr int kOffsetRows = 2 * kRows - 1;
using TileNumbering = Numbering<kColumns, kRows>;

// A plane laid out for `offsets`: 14 rows padded to 16 lanes, once as they are and once turned by
// 180 degrees.
struct PlaneLanes {
    static constexpr int kLanes = 16;
    alignas(32) std::array<std::uint32_t, kLanes> forward;
    alignas(32) std::array<std::uint32_t, kLanes> turned;
    int tiles;
    int first_row;
    int end_row;  // one past the last row with a tile

    explicit PlaneLanes(const Plane& plane);
};

// Bit 15 + dc of row 13 + dr is set if some tile of one plane lies at (dc, dr) from some tile of
// the other. The last rows are padding, always 0.
using OffsetMap = std::array<std::uint32_t, kRows - 1 + PlaneLanes::kLanes>;

// A bit map, and the rows in which bits can be set: most planes are only a few rows high.
struct BitRows {
    const std::uint32_t* rows;
    int first;
    int end;
};

// The offsets tile of `plane` - tile of `other`, written to `map`.
BitRows offsets(const PlaneLanes& plane, const PlaneLanes& other, OffsetMap& map);

// All atoms true in a screen and the one before it (no planes: no B-PROT), with B-PROS or without. An
// offset between two tiles of one colour is listed in both directions, which are the same atom.
std::vector<Atom> list_atoms(std::span<const Plane> current, std::span<const Plane> previous, bool in_space);

}  // namespace pixelplan
