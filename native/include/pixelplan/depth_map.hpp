// Least depths of keys of which few occur, among more than an array could hold.
//
// A hash table with open addressing. It keeps whole keys, so no two share a depth. An entry of an
// earlier epoch counts as free: clearing takes no time, however large the table has grown. A full one takes no
// more keys: those that it does not have count as reached at depth 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "pixelplan/novelty.hpp"

namespace pixelplan {

class DepthMap {
  public:
    explicit DepthMap(std::size_t max_size = std::numeric_limits<std::size_t>::max()) : max_size_(max_size) {}

    // The depth of a key; kNeverReached if it has none.
    Depth get(std::uint64_t key) const {
        const Entry& entry = entries_[place(key)];
        if (entry.epoch == epoch_) return entry.depth;
        return size_ < max_size_ ? kNeverReached : Depth{0};
    }

    // The depth of a key, to be changed: kNeverReached if the key is new. Valid until the next call.
    Depth& at(std::uint64_t key) {
        std::size_t found = place(key);
        if (entries_[found].epoch != epoch_) {
            if (size_ >= max_size_) return beyond_ = Depth{0};
            if (2 * ++size_ > entries_.size()) {
                grow();
                found = place(key);
            }
            entries_[found] = {key, epoch_, kNeverReached};
        }
        return entries_[found].depth;
    }

    void clear() {
        size_ = 0;
        ++epoch_;
    }

    std::size_t size() const { return size_; }

  private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t epoch = 0;
        Depth depth = kNeverReached;
    };

    static constexpr int kFirstBits = 10;

    // Where a key is, or where it would be entered.
    std::size_t place(std::uint64_t key) const {
        std::size_t found = key * 0x9E3779B97F4A7C15u >> (64 - bits_);
        while (entries_[found].epoch == epoch_ && entries_[found].key != key) {
            found = (found + 1) & (entries_.size() - 1);
        }
        return found;
    }

    void grow() {
        std::vector<Entry> smaller(std::size_t{1} << ++bits_);
        smaller.swap(entries_);
        for (const Entry& entry : smaller) {
            if (entry.epoch == epoch_) entries_[place(entry.key)] = entry;
        }
    }

    std::size_t max_size_;
    Depth beyond_ = 0;  // of any key, when there is room for no more
    int bits_ = kFirstBits;
    std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kFirstBits);
    std::size_t size_ = 0;
    std::uint32_t epoch_ = 1;
};

}  // namespace pixelplan
