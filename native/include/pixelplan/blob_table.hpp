// The least depth at which each Blob-PROST atom was reached.
//
// A screen has few blobs, so their pairs are enumerated, and those that occurred are kept by number. A table
// holds kMaxKept atoms, in 128 MB. Once it is full, other atoms count as reached at depth 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pixelplan/blobs.hpp"
#include "pixelplan/depth_map.hpp"
#include "pixelplan/novelty.hpp"

namespace pixelplan {

class BlobTable {
  public:
    // Answers as NoveltyTable's; `previous` is the screen before, or empty.
    Novelty compare(std::span<const Blob> current, std::span<const Blob> previous, int depth) const;
    Novelty update(std::span<const Blob> current, std::span<const Blob> previous, int depth);

    // The atoms that make a screen improve the table, sorted. Slow.
    std::vector<std::uint32_t> explain(std::span<const Blob> current, std::span<const Blob> previous, int depth) const;

    void clear() { least_.clear(); }

    // How many atoms were reached.
    std::size_t size() const { return least_.size(); }

    static constexpr std::size_t kMaxKept = std::size_t{1} << 22;

  private:
    DepthMap least_{kMaxKept};
};

}  // namespace pixelplan
