// Basic features: which colours a screen shows in which of its 16 x 14 tiles.
//
// A screen is kept as one `Plane` for each colour on it: 14 rows of 16 tile bits, 30 bytes.
// Everything that B-PROST knows of a screen follows from its planes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "pixelplan/screen.hpp"

namespace pixelplan {

inline constexpr int kTileHeight = 15;
inline constexpr int kTileWidth = 10;
inline constexpr int kRows = kScreenHeight / kTileHeight;
inline constexpr int kColumns = kScreenWidth / kTileWidth;

// The tiles in which one colour occurs: bit c of rows[r] stands for column c, row r.
struct Plane {
    std::uint16_t colour;
    std::array<std::uint16_t, kRows> rows;

    friend bool operator==(const Plane&, const Plane&) = default;
};
static_assert(sizeof(Plane) == 30);

using PlaneBuffer = std::array<Plane, kColours>;

// Writes the planes of `screen` (palette indices, row by row) to `planes`, in ascending order of
// colour, and returns them. A pixel that has its `background` colour counts as colour 0. A pixel
// that differs from its stored colour is noted in `departed`; other notes are left as they are.
std::span<const Plane> extract_planes(const std::uint8_t* screen, const std::uint8_t* background,
                                      std::uint8_t* departed, PlaneBuffer& planes);

}  // namespace pixelplan
