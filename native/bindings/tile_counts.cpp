#include "pixelplan/tile_counts.hpp"

#include "arguments.hpp"
#include "tile_counts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pixelplan::bindings {
namespace {

void note(TileCounts& counts, const nb::bytes& tiles) { counts.note(planes("tiles", tiles)); }

double rarity(const TileCounts& counts, const nb::bytes& tiles) { return counts.rarity(planes("tiles", tiles)); }

}  // namespace

void bind_tile_counts(nb::module_& module) {
    nb::class_<TileCounts>(module, "TileCounts",
                           "How often each colour was seen in each tile. Not to be shared by threads.")
        .def(nb::init<>())
        .def("note", &note, "tiles"_a, "Counts the colours in the tiles of a screen.")
        .def("rarity", &rarity, "tiles"_a, "The sum of 1 / (1 + count) over the colours in the tiles of a screen.");
}

}  // namespace pixelplan::bindings
