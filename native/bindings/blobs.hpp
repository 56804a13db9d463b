#pragma once

#include <nanobind/nanobind.h>

namespace pixelplan::bindings {

void bind_blobs(nanobind::module_& module);

}  // namespace pixelplan::bindings
