// Checks what Python hands in. Wrong shapes, types and values become ValueError or TypeError.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <vector>

#include "pixelplan/tiles.hpp"

namespace pixelplan::bindings {

using ReadOnlyArray = nanobind::ndarray<nanobind::ro, nanobind::device::cpu>;
using WritableArray = nanobind::ndarray<nanobind::device::cpu>;

// The pixels of a C-contiguous (210, 160) uint8 array.
const std::uint8_t* pixels(const char* name, const ReadOnlyArray& array);
std::uint8_t* writable_pixels(const char* name, const WritableArray& array);

// Tile bits as `extract_tiles` returns them: records of 15 little-endian 16-bit words.
std::vector<Plane> planes(const char* name, const nanobind::bytes& tiles);

int checked_depth(int depth);

}  // namespace pixelplan::bindings
