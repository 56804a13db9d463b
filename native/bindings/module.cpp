#include <nanobind/nanobind.h>

#include "novelty_table.hpp"
#include "tiles.hpp"

NB_MODULE(_kernel, module) {
    module.doc() = "The two jobs that Python is too slow for: screen features and their novelty.";
    pixelplan::bindings::bind_tiles(module);
    pixelplan::bindings::bind_novelty_table(module);
}
