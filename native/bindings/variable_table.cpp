#include "pixelplan/variable_table.hpp"

#include <algorithm>
#include <string>

#include "arguments.hpp"
#include "variable_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pixelplan::bindings {
namespace {

void make_table(VariableTable* table, int variables, int values, int width) {
    if (variables < 1 || values < 1 || values > 256 || width < 1) {
        throw nb::value_error("variables and width must be at least 1, values must lie in 1..256");
    }
    if (!VariableTable::has_keys(variables, values, width)) {
        throw nb::value_error(("conjunctions of " + std::to_string(width) + " of " + std::to_string(variables) +
                               " variables with " + std::to_string(values) + " values have no keys in 64 bits")
                                  .c_str());
    }
    new (table) VariableTable(variables, values, width);
}

std::span<const std::uint8_t> checked_state(const VariableTable& table, const nb::bytes& state) {
    const std::span<const std::uint8_t> result(static_cast<const std::uint8_t*>(state.data()), state.size());
    const bool has_values = table.values() == 256 ||
                            std::ranges::all_of(result, [&](std::uint8_t value) { return value < table.values(); });
    if (result.size() == table.variables() && has_values) return result;
    throw nb::value_error(("state must have " + std::to_string(table.variables()) + " bytes below " +
                           std::to_string(table.values()) + "; got " + std::to_string(result.size()) + " bytes" +
                           (has_values ? "" : ", some too great"))
                              .c_str());
}

template <auto judge>
int judge_state(VariableTable& table, const nb::bytes& state, int depth) {
    const std::span<const std::uint8_t> valid_state = checked_state(table, state);
    const int valid_depth = checked_depth(depth);
    nb::gil_scoped_release release;
    return static_cast<int>((table.*judge)(valid_state, valid_depth));
}

}  // namespace

void bind_variable_table(nb::module_& module) {
    nb::class_<VariableTable>(module, "VariableTable",
                              "Least depth at which variables have had their values, and up to width variables theirs "
                              "at once. A state has one byte per variable. Not to be shared by threads.")
        .def("__init__", &make_table, "variables"_a, "values"_a, "width"_a)
        .def("compare", &judge_state<&VariableTable::compare>, "state"_a, "depth"_a,
             "0: some conjunction improves on its least depth; 1: some ties; 2: all are worse.")
        .def("update", &judge_state<&VariableTable::update>, "state"_a, "depth"_a,
             "The same answer as compare; then no conjunction's least depth is more than depth.")
        .def("clear", &VariableTable::clear, "Forgets all depths.")
        .def("__len__", &VariableTable::size, "How many conjunctions were reached, single values included.");
}

}  // namespace pixelplan::bindings
