#include "pixelplan/blob_table.hpp"

namespace pixelplan {

Novelty BlobTable::compare(std::span<const Blob> current, std::span<const Blob> previous, int depth) const {
    const auto target = static_cast<Depth>(depth);
    Verdict verdict;
    visit_blob_atoms(current, previous, [&](const Atom& atom) {
        if (!verdict.improves) verdict.add(least_.get(BlobNumbering::number(atom)), target);
    });
    return verdict.novelty();
}

Novelty BlobTable::update(std::span<const Blob> current, std::span<const Blob> previous, int depth) {
    const auto target = static_cast<Depth>(depth);
    Verdict verdict;
    visit_blob_atoms(current, previous, [&](const Atom& atom) {
        Depth& least = least_.at(BlobNumbering::number(atom));
        verdict.add(least, target);
        if (least > target) least = target;
    });
    return verdict.novelty();
}

std::vector<std::uint32_t> BlobTable::explain(std::span<const Blob> current, std::span<const Blob> previous,
                                              int depth) const {
    std::vector<Atom> atoms;
    visit_blob_atoms(current, previous, [&](const Atom& atom) {
        if (least_.get(BlobNumbering::number(atom)) > depth) atoms.push_back(atom);
    });
    return BlobNumbering::numbers(atoms);
}

}  // namespace pixelplan
