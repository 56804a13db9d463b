#include "pixelplan/novelty_table.hpp"

#include "arguments.hpp"
#include "atom_array.hpp"
#include "novelty_table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pixelplan::bindings {
namespace {

using Judge = Novelty (NoveltyTable::*)(std::span<const Plane>, std::span<const Plane>, int);

template <Judge judge>
int judge_screen(NoveltyTable& table, const nb::bytes& tiles, const nb::bytes& previous, int depth) {
    const std::vector<Plane> current_planes = planes("tiles", tiles);
    const std::vector<Plane> previous_planes = planes("previous", previous);
    const int valid_depth = checked_depth(depth);
    nb::gil_scoped_release release;
    return static_cast<int>((table.*judge)(current_planes, previous_planes, valid_depth));
}

AtomArray explain(const NoveltyTable& table, const nb::bytes& tiles, const nb::bytes& previous, int depth) {
    return atom_array(table.explain(planes("tiles", tiles), planes("previous", previous), checked_depth(depth)));
}

}  // namespace

void bind_novelty_table(nb::module_& module) {
    nb::class_<NoveltyTable>(module, "NoveltyTable",
                             "Least depth at which each B-PROST atom was reached. Not to be shared by threads.")
        .def(nb::init<bool>(), "in_space"_a = true, "in_space: whether B-PROS atoms, pairs of one screen, are judged.")
        .def("compare", &judge_screen<&NoveltyTable::compare>, "tiles"_a, "previous"_a, "depth"_a,
             "0: some atom improves on its least depth; 1: some atom ties; 2: all are worse.")
        .def("update", &judge_screen<&NoveltyTable::update>, "tiles"_a, "previous"_a, "depth"_a,
             "The same answer as compare; then no atom's least depth is more than depth.")
        .def("explain", &explain, "tiles"_a, "previous"_a, "depth"_a,
             "The numbers of the atoms that improve on their least depth, sorted. Slow.")
        .def("clear", &NoveltyTable::clear, "Forgets all depths.")
        .def_prop_ro("blocks", &NoveltyTable::blocks, "How many colours and colour pairs hold memory.");
}

}  // namespace pixelplan::bindings
