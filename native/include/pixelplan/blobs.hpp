// Blobs: pixels of one colour that lie close together, as features of Blob-PROST (Liang et al. 2016).
//
// Two pixels of one colour are linked if they are at most 6 rows and at most 6 columns apart; a blob
// is what is linked, directly or through others. It stands in the tile of the centre of its bounding
// box, (left + right) / 2 and (top + bottom) / 2 in whole numbers. There are 40 x 30 tiles. Two blobs
// of one colour in one tile are one. Pixels that show their background belong to no blob.
//
// Games have 10 to 90 blobs, and noise could have 17,000, whose pairs nobody could enumerate. So a screen
// has at most kMaxBlobs, the least ones.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pixelplan/numbering.hpp"
#include "pixelplan/screen.hpp"

namespace pixelplan {

inline constexpr int kReach = 6;
inline constexpr int kBlobTileHeight = 7;
inline constexpr int kBlobTileWidth = 4;
inline constexpr int kBlobRows = kScreenHeight / kBlobTileHeight;
inline constexpr int kBlobColumns = kScreenWidth / kBlobTileWidth;

using BlobNumbering = Numbering<kBlobColumns, kBlobRows>;
static_assert(BlobNumbering::kAtoms == 114'702'400);

struct Blob {
    std::uint8_t colour;
    std::uint8_t column;
    std::uint8_t row;

    friend auto operator<=>(const Blob&, const Blob&) = default;
};
static_assert(sizeof(Blob) == 3);

inline constexpr std::size_t kMaxBlobs = 256;

// The blobs of `screen` (palette indices, row by row), sorted, each once, kMaxBlobs of them at most. A pixel that
// differs from its stored colour in `background` is noted in `departed`; other notes are left as they are.
std::vector<Blob> extract_blobs(const std::uint8_t* screen, const std::uint8_t* background, std::uint8_t* departed);

// Calls visit(atom) for all atoms true in a screen and the one before it (no blobs: no atoms in time).
// Some have the same number. Blobs must be sorted.
template <typename Visit>
void visit_blob_atoms(std::span<const Blob> current, std::span<const Blob> previous, Visit&& visit) {
    const auto visit_pair = [&](Family family, const Blob& blob, const Blob& other) {
        visit(Atom{family, blob.colour, other.colour, blob.column - other.column, blob.row - other.row});
    };
    for (std::size_t i = 0; i < current.size(); ++i) {
        const Blob& blob = current[i];
        visit(Atom{Family::kBasic, blob.colour, blob.colour, blob.column, blob.row});
        for (const Blob& other : current.subspan(i)) visit_pair(Family::kSpace, blob, other);
        for (const Blob& other : previous) visit_pair(Family::kTime, blob, other);
    }
}

}  // namespace pixelplan
