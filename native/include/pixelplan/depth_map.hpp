// Least depths of keys of which few occur, among more than an array could hold.
//
// A hash table with open addressing. It keeps whole keys, so no two share a depth. An entry of an
// earlier epoch counts as free: clearing takes no time, however large the table has grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pixelplan/novelty.hpp"

namespace pixelplan {

class DepthMap {
  public:
    // The depth of a key; kNeverReached if it has none.
    Depth get(std::uint64_t key) const {
        const Entry& entry = entries_[place(key)];
        return entry.epoch == epoch_ ? entry.depth : kNeverReached;
    }

    // The depth of a key, to be changed: kNeverReached if the key is new. Valid until the next call.
    Depth& at(std::uint64_t key) {
        std::size_t found = place(key);
        if (entries_[found].epoch != epoch_) {
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

    int bits_ = kFirstBits;
    std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kFirstBits);
    std::size_t size_ = 0;
    std::uint32_t epoch_ = 1;
};

}  // namespace pixelplan
