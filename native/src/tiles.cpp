#include "pixelplan/tiles.hpp"

#include "painting.hpp"
#include "pixelplan/dispatch.hpp"

namespace pixelplan {
namespace {

using TileBits = std::array<std::array<std::uint16_t, kRows>, kColours>;

constexpr Line make_tile_edges() {
    Line edges{};
    for (int x = 0; x < kScreenWidth; x += kTileWidth) edges[x] = 1;
    return edges;
}

constexpr Line kTileEdges = make_tile_edges();

// A pixel is fresh if neither its upper nor its left neighbour in the same tile has its colour:
// every colour of a tile has a fresh pixel, and few pixels are fresh.
inline void mark_fresh(const Line& painted, const Line& above, Line& fresh) {
    fresh[0] = painted[0] != above[0];
    for (int x = 1; x < kScreenWidth; ++x) {
        const std::uint8_t differs_left = kTileEdges[x] | static_cast<std::uint8_t>(painted[x] != painted[x - 1]);
        fresh[x] = differs_left & static_cast<std::uint8_t>(painted[x] != above[x]);
    }
}

inline void collect(const Line& painted, const Line& fresh, int row, TileBits& bits) {
    visit_marked(fresh, [&](int x) { bits[painted[x]][row] |= static_cast<std::uint16_t>(1u << (x / kTileWidth)); });
}

PIXELPLAN_CLONES void scan_screen(const std::uint8_t* screen, const std::uint8_t* background, std::uint8_t* departed,
                                  TileBits& bits) {
    std::array<Line, 2> lines;
    Line fresh;
    for (int y = 0; y < kScreenHeight; ++y) {
        Line& painted = lines[y % 2];
        Line& above = lines[1 - y % 2];
        if (y % kTileHeight == 0) above.fill(kNoBackground);  // no colour: a tile's first line has nothing above it
        const int offset = y * kScreenWidth;
        if (paint_background<0>(screen + offset, background + offset, painted)) {
            note_departures(screen + offset, background + offset, departed + offset);
        }
        mark_fresh(painted, above, fresh);
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
