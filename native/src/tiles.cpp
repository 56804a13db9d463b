#include "pixelplan/tiles.hpp"

#include <bit>
#include <cstring>

#include "pixelplan/dispatch.hpp"

namespace pixelplan {
namespace {

static_assert(std::endian::native == std::endian::little, "fresh pixels are scanned as 64-bit words");

using Line = std::array<std::uint8_t, kScreenWidth>;
using TileBits = std::array<std::array<std::uint16_t, kRows>, kColours>;

constexpr Line make_tile_edges() {
    Line edges{};
    for (int x = 0; x < kScreenWidth; x += kTileWidth) edges[x] = 1;
    return edges;
}

constexpr Line kTileEdges = make_tile_edges();

// Paints one line of pixels with colour 0 where it shows the background.
inline void paint(const std::uint8_t* screen, const std::uint8_t* background, std::uint8_t* departed, Line& painted) {
    for (int x = 0; x < kScreenWidth; ++x) {
        const std::uint8_t colour = screen[x] >> 1;
        const bool is_background = colour == background[x];
        painted[x] = is_background ? 0 : colour;
        departed[x] |= static_cast<std::uint8_t>(!is_background & (background[x] != kNoBackground));
    }
}

// A pixel is fresh if neither its upper nor its left neighbour in the same tile has its colour:
// every colour of a tile has a fresh pixel, and few pixels are fresh.
inline void mark_fresh(const Line& painted, const Line& above, bool is_first_line, Line& fresh) {
    fresh[0] = is_first_line | (painted[0] != above[0]);
    for (int x = 1; x < kScreenWidth; ++x) {
        const bool differs_left = kTileEdges[x] | (painted[x] != painted[x - 1]);
        const bool differs_above = is_first_line | (painted[x] != above[x]);
        fresh[x] = differs_left & differs_above;
    }
}

inline void collect(const Line& painted, const Line& fresh, int row, TileBits& bits) {
    for (int start = 0; start < kScreenWidth; start += 8) {
        std::uint64_t word;
        std::memcpy(&word, fresh.data() + start, sizeof word);
        for (; word != 0; word &= word - 1) {
            const int x = start + std::countr_zero(word) / 8;
            bits[painted[x]][row] |= static_cast<std::uint16_t>(1u << (x / kTileWidth));
        }
    }
}

PIXELPLAN_CLONES void scan_screen(const std::uint8_t* screen, const std::uint8_t* background, std::uint8_t* departed,
                                  TileBits& bits) {
    std::array<Line, 2> lines{};
    Line fresh;
    for (int y = 0; y < kScreenHeight; ++y) {
        Line& painted = lines[y % 2];
        const Line& above = lines[1 - y % 2];
        const int offset = y * kScreenWidth;
        paint(screen + offset, background + offset, departed + offset, painted);
        mark_fresh(painted, above, y % kTileHeight == 0, fresh);
        collect(painted, fresh, y / kTileHeight, bits);
    }
}

}  // namespace

std::span<const Plane> extract_planes(const std::uint8_t* screen, const std::uint8_t* background,
                                      std::uint8_t* departed, PlaneBuffer& planes) {
    TileBits bits{};
    scan_screen(screen, background, departed, bits);
    std::size_t count = 0;
    for (int colour = 0; colour < kColours; ++colour) {
        std::uint16_t any = 0;
        for (const std::uint16_t row : bits[colour]) any |= row;
        if (any != 0) planes[count++] = {static_cast<std::uint16_t>(colour), bits[colour]};
    }
    return {planes.data(), count};
}

}  // namespace pixelplan
