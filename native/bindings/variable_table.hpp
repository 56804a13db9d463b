#pragma once

#include <nanobind/nanobind.h>

namespace pixelplan::bindings {

void bind_variable_table(nanobind::module_& module);

}  // namespace pixelplan::bindings
