// What every novelty table answers, and the depths that it keeps.
#pragma once

#include <cstdint>

namespace pixelplan {

enum class Novelty { kImproves = 0, kTies = 1, kWorse = 2 };

using Depth = std::int16_t;
inline constexpr Depth kNeverReached = INT16_MAX;
inline constexpr Depth kMaxDepth = kNeverReached - 1;

// How a depth compares with the least depths of some atoms, while they are looked at one after another.
struct Verdict {
    bool improves = false;
    bool ties = false;

    // Takes in the least depth of one more atom.
    void add(Depth least, Depth depth) {
        improves |= least > depth;
        ties |= least == depth;
    }

    Novelty novelty() const { return improves ? Novelty::kImproves : ties ? Novelty::kTies : Novelty::kWorse; }
};

}  // namespace pixelplan
