// What a screen is: palette indices, row by row, of 128 colours.
#pragma once

#include <cstdint>

namespace pixelplan {

inline constexpr int kScreenHeight = 210;
inline constexpr int kScreenWidth = 160;
inline constexpr int kScreenPixels = kScreenHeight * kScreenWidth;
inline constexpr int kColours = 128;
inline constexpr std::uint8_t kNoBackground = 255;

}  // namespace pixelplan
