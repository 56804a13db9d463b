#pragma once

#include <nanobind/nanobind.h>

namespace pixelplan::bindings {

void bind_tile_counts(nanobind::module_& module);

}  // namespace pixelplan::bindings
