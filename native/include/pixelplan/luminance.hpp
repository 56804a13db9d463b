// Luminance: how bright each block of 2 x 2 pixels is.
#pragma once

#include <array>
#include <cstdint>

#include "pixelplan/screen.hpp"

namespace pixelplan {

inline constexpr int kBlockRows = kScreenHeight / 2;
inline constexpr int kBlockColumns = kScreenWidth / 2;
inline constexpr int kBlocks = kBlockRows * kBlockColumns;

using Luminances = std::array<std::uint8_t, kBlocks>;

// The mean luminance of each block of `screen` (palette indices, row by row), rounded to the nearest
// whole number, halves up.
void extract_luminance(const std::uint8_t* screen, Luminances& blocks);

}  // namespace pixelplan
