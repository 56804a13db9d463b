#include "pixelplan/luminance.hpp"

#include <cstring>

namespace pixelplan {
namespace {

// Of each colour, as the emulator's getScreenGrayscale shows it (ale-py 0.12.1, NTSC, which all games
// with 210 lines have): 0.2989 red + 0.587 green + 0.114 blue of its palette, rounded. Each value was
// read from the emulator: every colour appears in some game.
constexpr std::array<std::uint8_t, kColours> kLuminance = {
    0,  74, 111, 142, 170, 192, 214, 236,  // black to white
    64, 95, 122, 148, 172, 193, 214, 233,  // and 15 hues
    63, 87, 110, 131, 150, 167, 184, 199,  //
    59, 85, 107, 129, 148, 167, 183, 199,  //
    44, 68, 90,  110, 128, 146, 161, 176,  //
    51, 74, 95,  115, 132, 149, 164, 178,  //
    39, 63, 85,  107, 125, 143, 159, 174,  //
    22, 49, 73,  96,  116, 136, 153, 169,  //
    17, 41, 64,  85,  104, 121, 137, 153,  //
    32, 60, 85,  109, 130, 150, 168, 186,  //
    40, 69, 95,  120, 141, 162, 182, 200,  //
    43, 74, 101, 127, 151, 173, 193, 212,  //
    40, 71, 98,  124, 147, 169, 189, 207,  //
    41, 74, 104, 132, 157, 181, 203, 223,  //
    47, 79, 107, 133, 157, 179, 200, 220,  //
    47, 79, 107, 133, 157, 179, 200, 220,  //
};

// The luminances of the blocks of two lines.
void extract_blocks(const std::uint8_t* upper, const std::uint8_t* lower, std::uint8_t* blocks) {
    for (int x = 0; x < kScreenWidth; x += 2) {
        const int sum = kLuminance[upper[x] >> 1] + kLuminance[upper[x + 1] >> 1] + kLuminance[lower[x] >> 1] +
                        kLuminance[lower[x + 1] >> 1];
        blocks[x / 2] = static_cast<std::uint8_t>((sum + 2) / 4);
    }
}

}  // namespace

void extract_luminance(const std::uint8_t* screen, Luminances& blocks) {
    constexpr std::size_t kTwoLines = 2 * kScreenWidth;
    for (int row = 0; row < kBlockRows; ++row) {
        const std::uint8_t* lines = screen + row * kTwoLines;
        std::uint8_t* result = blocks.data() + row * kBlockColumns;
        if (row > 0 && std::memcmp(lines, lines - kTwoLines, kTwoLines) == 0) {
            // Games draw most lines several times.
            std::memcpy(result, result - kBlockColumns, kBlockColumns);
        } else {
            extract_blocks(lines, lines + kScreenWidth, result);
        }
    }
}

}  // namespace pixelplan
