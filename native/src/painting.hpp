// Lines of pixels from which the background is painted out.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "pixelplan/screen.hpp"

namespace pixelplan {

using Line = std::array<std::uint8_t, kScreenWidth>;

// Paints one line of pixels with `paint` where it shows the background; says whether a pixel that was
// background has another colour.
template <std::uint8_t paint>
inline bool paint_background(const std::uint8_t* screen, const std::uint8_t* background, Line& painted) {
    std::uint8_t departures = 0;
    for (int x = 0; x < kScreenWidth; ++x) {
        const std::uint8_t colour = screen[x] >> 1;
        const bool is_background = colour == background[x];
        painted[x] = is_background ? paint : colour;
        departures |= static_cast<std::uint8_t>(!is_background & (background[x] != kNoBackground));
    }
    return departures != 0;
}

inline void note_departures(const std::uint8_t* screen, const std::uint8_t* background, std::uint8_t* departed) {
    for (int x = 0; x < kScreenWidth; ++x) {
        departed[x] |= static_cast<std::uint8_t>((screen[x] >> 1 != background[x]) & (background[x] != kNoBackground));
    }
}

static_assert(std::endian::native == std::endian::little, "marked pixels are scanned as 64-bit words");

// Calls visit(x) for each pixel of a line that is marked with 1, from left to right.
template <typename Visit>
inline void visit_marked(const Line& marks, Visit&& visit) {
    for (int start = 0; start < kScreenWidth; start += 8) {
        std::uint64_t word;
        std::memcpy(&word, marks.data() + start, sizeof word);
        for (; word != 0; word &= word - 1) visit(start + std::countr_zero(word) / 8);
    }
}

}  // namespace pixelplan
