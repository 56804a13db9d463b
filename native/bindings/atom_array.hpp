// Atom numbers on their way to NumPy.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace pixelplan::bindings {

using AtomArray = nanobind::ndarray<nanobind::numpy, std::uint32_t, nanobind::ndim<1>>;

inline AtomArray atom_array(std::vector<std::uint32_t> numbers) {
    auto* owned = new std::vector<std::uint32_t>(std::move(numbers));
    const nanobind::capsule owner(
        owned, [](void* pointer) noexcept { delete static_cast<std::vector<std::uint32_t>*>(pointer); });
    return AtomArray(owned->data(), {owned->size()}, owner);
}

}  // namespace pixelplan::bindings
