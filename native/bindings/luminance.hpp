#pragma once

#include <nanobind/nanobind.h>

namespace pixelplan::bindings {

void bind_luminance(nanobind::module_& module);

}  // namespace pixelplan::bindings
