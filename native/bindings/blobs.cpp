#include "blobs.hpp"

#include <algorithm>
#include <string>

#include "arguments.hpp"
#include "atom_array.hpp"
#include "pixelplan/blob_table.hpp"
#include "pixelplan/blobs.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace pixelplan::bindings {
namespace {

nb::bytes extract_blobs(const ReadOnlyArray& screen, const ReadOnlyArray& background, const WritableArray& departed) {
    const std::uint8_t* screen_pixels = pixels("screen", screen);
    const std::uint8_t* background_pixels = pixels("background", background);
    std::uint8_t* departed_pixels = writable_pixels("departed", departed);
    std::vector<Blob> found;
    {
        nb::gil_scoped_release release;
        found = pixelplan::extract_blobs(screen_pixels, background_pixels, departed_pixels);
    }
    return nb::bytes(found.data(), found.size() * sizeof(Blob));
}

// Blobs as `extract_blobs` returns them.
std::span<const Blob> checked_blobs(const char* name, const nb::bytes& blobs) {
    const std::span<const Blob> result(static_cast<const Blob*>(blobs.data()), blobs.size() / sizeof(Blob));
    const bool is_valid = std::ranges::all_of(result, [](const Blob& blob) {
        return blob.colour < kColours && blob.column < kBlobColumns && blob.row < kBlobRows;
    });
    const bool is_sorted = std::ranges::adjacent_find(result, std::greater_equal<>{}) == result.end();
    if (blobs.size() % sizeof(Blob) == 0 && result.size() <= kMaxBlobs && is_valid && is_sorted) return result;
    throw nb::value_error((std::string(name) + " is not what extract_blobs returns").c_str());
}

template <auto judge>
int judge_blobs(BlobTable& table, const nb::bytes& blobs, const nb::bytes& previous, int depth) {
    const std::span<const Blob> current_blobs = checked_blobs("blobs", blobs);
    const std::span<const Blob> previous_blobs = checked_blobs("previous", previous);
    const int valid_depth = checked_depth(depth);
    nb::gil_scoped_release release;
    return static_cast<int>((table.*judge)(current_blobs, previous_blobs, valid_depth));
}

AtomArray explain(const BlobTable& table, const nb::bytes& blobs, const nb::bytes& previous, int depth) {
    const int valid_depth = checked_depth(depth);
    return atom_array(table.explain(checked_blobs("blobs", blobs), checked_blobs("previous", previous), valid_depth));
}

// An empty table is improved by every atom.
AtomArray atoms_of(const nb::bytes& blobs, const nb::bytes& previous) {
    return explain(BlobTable(), blobs, previous, 0);
}

}  // namespace

void bind_blobs(nb::module_& module) {
    module.attr("BLOB_ATOMS") = BlobNumbering::kAtoms;
    module.attr("MAX_BLOBS") = kMaxBlobs;
    module.def("extract_blobs", &extract_blobs, "screen"_a, "background"_a, "departed"_a,
               nb::sig("def extract_blobs(screen: NDArray[numpy.uint8], background: NDArray[numpy.uint8], "
                       "departed: NDArray[numpy.uint8]) -> bytes"),
               "Blobs of a (210, 160) screen of palette indices, as bytes: colour, column and row of the tile of each, "
               "in ascending order, MAX_BLOBS of them at most. Pixels that show their background colour (255 = none) "
               "belong to none; those "
               "that differ from it are noted in departed.");
    module.def("blob_atoms", &atoms_of, "blobs"_a, "previous"_a,
               "The numbers of the Blob-PROST atoms true in a screen and the one before it (b'' = none), sorted.");
    nb::class_<BlobTable>(module, "BlobTable",
                          "Least depth at which each Blob-PROST atom was reached. Not to be shared by threads.")
        .def(nb::init<>())
        .def("compare", &judge_blobs<&BlobTable::compare>, "blobs"_a, "previous"_a, "depth"_a,
             "0: some atom improves on its least depth; 1: some atom ties; 2: all are worse.")
        .def("update", &judge_blobs<&BlobTable::update>, "blobs"_a, "previous"_a, "depth"_a,
             "The same answer as compare; then no atom's least depth is more than depth.")
        .def("explain", &explain, "blobs"_a, "previous"_a, "depth"_a,
             "The numbers of the atoms that improve on their least depth, sorted. Slow.")
        .def("clear", &BlobTable::clear, "Forgets all depths.")
        .def("__len__", &BlobTable::size, "How many atoms were reached.");
}

}  // namespace pixelplan::bindings
