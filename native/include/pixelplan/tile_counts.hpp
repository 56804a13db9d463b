// How often each colour was seen in each tile, and how rare that makes the tiles of a screen.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pixelplan/tiles.hpp"

namespace pixelplan {

class TileCounts {
  public:
    TileCounts();

    // Counts the colours in the tiles of a screen.
    void note(std::span<const Plane> planes);

    // The sum of 1 / (1 + count) over the colours in the tiles of a screen.
    double rarity(std::span<const Plane> planes) const;

  private:
    std::vector<std::uint32_t> counts_;
    std::vector<double> worths_;  // 1 / (1 + count)
};

}  // namespace pixelplan
