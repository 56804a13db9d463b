// The numbers of atoms, for screens divided into a grid of tiles of any size.
//
// Basic atoms come first, then pairs in space (B-PROS), then pairs in time (B-PROT).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pixelplan/screen.hpp"

namespace pixelplan {

enum class Family { kBasic, kSpace, kTime };

// One atom. Basic: `colour` in tile (column, row). B-PROS: (column, row) = tile of `colour` - tile
// of `other`, colour <= other. B-PROT: tile of `colour` now - tile of `other` on the screen before.
struct Atom {
    Family family;
    int colour;
    int other;
    int column;
    int row;
};

template <int columns, int rows>
struct Numbering {
    static constexpr int kOffsetRows = 2 * rows - 1;
    static constexpr int kOffsets = kOffsetRows * (2 * columns - 1);

    static constexpr std::uint32_t kBasicAtoms = columns * rows * kColours;
    static constexpr std::uint32_t kColourPairs = kColours * (kColours - 1) / 2;
    static constexpr std::uint32_t kTwoColourAtoms = kOffsets * kColourPairs;
    static constexpr std::uint32_t kOneColourAtoms = (kOffsets - 1) / 2 * kColours;
    static constexpr std::uint32_t kSpaceAtoms = kTwoColourAtoms + kOneColourAtoms + kColours;
    static constexpr std::uint32_t kTimeAtoms = kOffsets * kColours * kColours;
    static constexpr std::uint32_t kFirstSpaceAtom = kBasicAtoms;
    static constexpr std::uint32_t kFirstTimeAtom = kBasicAtoms + kSpaceAtoms;
    static constexpr std::uint32_t kAtoms = kFirstTimeAtom + kTimeAtoms;

    static constexpr std::uint32_t number(const Atom& atom) {
        switch (atom.family) {
            case Family::kBasic:
                return (rows * atom.column + atom.row) * kColours + atom.colour;
            case Family::kSpace:
                return kFirstSpaceAtom + space_number(atom.colour, atom.other, atom.column, atom.row);
            default:
                return kFirstTimeAtom + offset_number(atom.column, atom.row) * kColours * kColours +
                       kColours * atom.colour + atom.other;
        }
    }

    // The numbers of some atoms, sorted, each once.
    static std::vector<std::uint32_t> numbers(const std::vector<Atom>& atoms) {
        std::vector<std::uint32_t> result;
        result.reserve(atoms.size());
        for (const Atom& atom : atoms) result.push_back(number(atom));
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

  private:
    static constexpr std::uint32_t offset_number(int dc, int dr) {
        return (columns - 1 + dc) * kOffsetRows + rows - 1 + dr;
    }

    static constexpr std::uint32_t space_number(int colour1, int colour2, int dc, int dr) {
        if (colour1 < colour2) {
            const int pair = (kColours - 1) * colour1 - colour1 * (colour1 + 1) / 2 + colour2 - 1;
            return offset_number(dc, dr) * kColourPairs + pair;
        }
        if (dc == 0 && dr == 0) return kTwoColourAtoms + kOneColourAtoms + colour1;
        if (dc < 0 || (dc == 0 && dr < 0)) {
            dc = -dc;
            dr = -dr;
        }
        const int place = dc > 0 ? (dc - 1) * kOffsetRows + rows - 1 + dr : (columns - 1) * kOffsetRows + dr - 1;
        return kTwoColourAtoms + place * kColours + colour1;
    }
};

}  // namespace pixelplan
