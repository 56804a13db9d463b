#pragma once

#include <nanobind/nanobind.h>

namespace pixelplan::bindings {

void bind_tiles(nanobind::module_& module);

}  // namespace pixelplan::bindings
