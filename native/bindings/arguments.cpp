#include "arguments.hpp"

#include <algorithm>
#include <string>

#include "pixelplan/novelty.hpp"

namespace nb = nanobind;

namespace pixelplan::bindings {
namespace {

template <typename Array>
void check_pixels(const char* name, const Array& array) {
    const bool has_shape = array.ndim() == 2 && array.shape(0) == kScreenHeight && array.shape(1) == kScreenWidth;
    const bool is_contiguous = has_shape && array.stride(0) == kScreenWidth && array.stride(1) == 1;
    if (array.dtype() == nb::dtype<std::uint8_t>() && is_contiguous) return;
    std::string shape;
    for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
        shape += (axis == 0 ? "" : ", ") + std::to_string(array.shape(axis));
    }
    const std::string message = std::string(name) + " must be a C-contiguous (210, 160) array of uint8; got shape (" +
                                shape + "), " + std::to_string(array.dtype().bits) + "-bit items" +
                                (has_shape && !is_contiguous ? ", not C-contiguous" : "");
    throw nb::value_error(message.c_str());
}

}  // namespace

const std::uint8_t* pixels(const char* name, const ReadOnlyArray& array) {
    check_pixels(name, array);
    return static_cast<const std::uint8_t*>(array.data());
}

std::uint8_t* writable_pixels(const char* name, const WritableArray& array) {
    check_pixels(name, array);
    return static_cast<std::uint8_t*>(array.data());
}

std::vector<Plane> planes(const char* name, const nb::bytes& tiles) {
    std::vector<Plane> result(tiles.size() / sizeof(Plane));
    std::copy_n(tiles.c_str(), result.size() * sizeof(Plane), reinterpret_cast<char*>(result.data()));
    bool is_valid = tiles.size() % sizeof(Plane) == 0;
    int last_colour = -1;
    for (const Plane& plane : result) {
        const bool is_empty = plane.rows == decltype(plane.rows){};
        is_valid = is_valid && plane.colour > last_colour && plane.colour < kColours && !is_empty;
        last_colour = plane.colour;
    }
    if (is_valid) return result;
    throw nb::value_error((std::string(name) + " is not what extract_tiles returns").c_str());
}

int checked_depth(int depth) {
    if (depth >= 0 && depth <= kMaxDepth) return depth;
    throw nb::value_error(
        ("depth must lie in 0.." + std::to_string(kMaxDepth) + "; got " + std::to_string(depth)).c_str());
}

}  // namespace pixelplan::bindings
