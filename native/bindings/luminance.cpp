#include "pixelplan/luminance.hpp"

#include "arguments.hpp"
#include "luminance.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pixelplan::bindings {
namespace {

nb::bytes extract_luminance(const ReadOnlyArray& screen) {
    const std::uint8_t* screen_pixels = pixels("screen", screen);
    Luminances blocks;
    {
        nb::gil_scoped_release release;
        pixelplan::extract_luminance(screen_pixels, blocks);
    }
    return nb::bytes(blocks.data(), blocks.size());
}

}  // namespace

void bind_luminance(nb::module_& module) {
    module.def("extract_luminance", &extract_luminance, "screen"_a,
               nb::sig("def extract_luminance(screen: NDArray[numpy.uint8]) -> bytes"),
               "Mean luminance of each block of 2 x 2 pixels of a (210, 160) screen of palette indices, row by row, "
               "one byte each, rounded to the nearest whole number, halves up.");
}

}  // namespace pixelplan::bindings
