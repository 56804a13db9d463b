#include "tiles.hpp"

#include <nanobind/ndarray.h>

#include <vector>

#include "arguments.hpp"
#include "atom_array.hpp"
#include "pixelplan/bprost.hpp"
#include "pixelplan/tiles.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pixelplan::bindings {
namespace {

nb::bytes extract_tiles(const ReadOnlyArray& screen, const ReadOnlyArray& background, const WritableArray& departed) {
    const std::uint8_t* screen_pixels = pixels("screen", screen);
    const std::uint8_t* background_pixels = pixels("background", background);
    std::uint8_t* departed_pixels = writable_pixels("departed", departed);
    PlaneBuffer buffer;
    std::span<const Plane> found;
    {
        nb::gil_scoped_release release;
        found = extract_planes(screen_pixels, background_pixels, departed_pixels, buffer);
    }
    return nb::bytes(found.data(), found.size_bytes());
}

AtomArray atoms_of(const nb::bytes& tiles, const nb::bytes& previous, bool in_space) {
    return atom_array(
        TileNumbering::numbers(list_atoms(planes("tiles", tiles), planes("previous", previous), in_space)));
}

}  // namespace

void bind_tiles(nb::module_& module) {
    module.attr("BASIC_ATOMS") = TileNumbering::kBasicAtoms;
    module.attr("SPACE_ATOMS") = TileNumbering::kSpaceAtoms;
    module.attr("TIME_ATOMS") = TileNumbering::kTimeAtoms;
    module.def("extract_tiles", &extract_tiles, "screen"_a, "background"_a, "departed"_a,
               nb::sig("def extract_tiles(screen: NDArray[numpy.uint8], background: NDArray[numpy.uint8], "
                       "departed: NDArray[numpy.uint8]) -> bytes"),
               "Tile bits of a (210, 160) screen of palette indices, as bytes: for each colour on it, ascending, "
               "the colour and 14 rows of 16 tile bits, 15 little-endian 16-bit words in all. Pixels that show "
               "their background colour (255 = none) count as colour 0; those that differ from it are noted in "
               "departed.");
    module.def(
        "atoms", &atoms_of, "tiles"_a, "previous"_a, "in_space"_a = true,
        "The numbers of the B-PROST atoms true in a screen and the one before it (b'' = none), sorted; in_space: "
        "those of B-PROS too.");
}

}  // namespace pixelplan::bindings
