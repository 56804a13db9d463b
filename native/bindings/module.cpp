#include <nanobind/nanobind.h>

#include "blobs.hpp"
#include "luminance.hpp"
#include "novelty_table.hpp"
#include "tile_counts.hpp"
#include "tiles.hpp"
#include "variable_table.hpp"

NB_MODULE(_kernel, module) {
    module.doc() = "The two jobs that Python is too slow for: features of states and their novelty.";
    pixelplan::bindings::bind_tiles(module);
    pixelplan::bindings::bind_blobs(module);
    pixelplan::bindings::bind_luminance(module);
    pixelplan::bindings::bind_novelty_table(module);
    pixelplan::bindings::bind_tile_counts(module);
    pixelplan::bindings::bind_variable_table(module);
}
