#include "pixelplan/blobs.hpp"

#include <algorithm>
#include <array>

#include "painting.hpp"
#include "pixelplan/dispatch.hpp"

namespace pixelplan {
namespace {

constexpr std::uint8_t kNoColour = 255;

// Pixels of one colour on one line, none more than kReach from the next. Because of that, two segments
// of a colour on lines that are close enough are linked exactly if not more than kReach columns lie
// between their nearest ends, whatever gaps they have. Lines that are alike share their segments.
struct Segment {
    std::uint8_t colour;
    std::uint8_t left;
    std::uint8_t right;
    std::uint8_t top;
    std::uint8_t bottom;
    std::uint16_t next;    // another segment of this colour on this line
    std::uint16_t parent;  // towards the first segment of its blob
};

constexpr std::uint16_t kNoSegment = UINT16_MAX;
static_assert(kScreenPixels < kNoSegment);

bool is_near(const Segment& segment, const Segment& other) {
    return segment.left <= other.right + kReach && other.left <= segment.right + kReach;
}

bool contains(const Segment& segment, const Segment& other) {
    return segment.left <= other.left && other.right <= segment.right;
}

class SegmentLinker {
  public:
    SegmentLinker() {
        segments_.reserve(1024);
        for (Heads& heads : heads_) heads.fill(kNoSegment);
    }

    // Adds a line that differs from the one above it, as its pixels and marks where their colour changes.
    void add_line(int y, const Line& painted, const Line& changes) {
        line_start_ = segments_.size();
        heads_at(y).fill(kNoSegment);
        int left = 0;
        visit_marked(changes, [&](int x) {
            add_run(y, painted[left], left, x - 1);
            left = x;
        });
        add_run(y, painted[left], left, kScreenWidth - 1);
        for (std::size_t index = line_start_; index < segments_.size(); ++index) link(y, index);
    }

    // Adds a line that is as the one above it.
    void repeat_line(int y) {
        heads_at(y) = heads_at(y - 1);
        for (std::size_t index = line_start_; index < segments_.size(); ++index) {
            segments_[index].bottom = static_cast<std::uint8_t>(y);
        }
    }

    std::vector<Blob> blobs() {
        std::vector<Blob> result;
        for (std::size_t index = 0; index < segments_.size(); ++index) {
            const Segment& segment = segments_[index];
            Segment& first = segments_[find(index)];
            first.left = std::min(first.left, segment.left);
            first.right = std::max(first.right, segment.right);
            first.bottom = std::max(first.bottom, segment.bottom);
        }
        for (std::size_t index = 0; index < segments_.size(); ++index) {
            const Segment& segment = segments_[index];
            if (segment.parent != index) continue;
            const int column = (segment.left + segment.right) / 2 / kBlobTileWidth;
            const int row = (segment.top + segment.bottom) / 2 / kBlobTileHeight;
            result.push_back({segment.colour, static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(row)});
        }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        if (result.size() > kMaxBlobs) result.resize(kMaxBlobs);
        return result;
    }

  private:
    // The last segment of each colour on a line.
    using Heads = std::array<std::uint16_t, kColours>;

    Heads& heads_at(int y) { return heads_[y % heads_.size()]; }

    void add_run(int y, std::uint8_t colour, int left, int right) {
        if (colour == kNoColour) return;
        std::uint16_t& head = heads_at(y)[colour];
        if (head != kNoSegment && left - segments_[head].right <= kReach) {
            segments_[head].right = static_cast<std::uint8_t>(right);
            return;
        }
        const auto index = static_cast<std::uint16_t>(segments_.size());
        const auto line = static_cast<std::uint8_t>(y);
        segments_.push_back(
            {colour, static_cast<std::uint8_t>(left), static_cast<std::uint8_t>(right), line, line, head, index});
        head = index;
    }

    void link(int y, std::size_t index) {
        const Segment segment = segments_[index];
        for (int above = y - 1; above >= 0 && above >= y - kReach; --above) {
            bool is_contained = false;
            std::uint16_t other = heads_at(above)[segment.colour];
            for (; other != kNoSegment; other = segments_[other].next) {
                if (is_near(segment, segments_[other])) unite(index, other);
                is_contained |= contains(segments_[other], segment);
            }
            // What lies further above and near this segment lies near the one that contains it.
            if (is_contained) return;
        }
    }

    void unite(std::size_t index, std::size_t other) {
        index = find(index);
        other = find(other);
        segments_[std::max(index, other)].parent = static_cast<std::uint16_t>(std::min(index, other));
    }

    std::size_t find(std::size_t index) {
        while (segments_[index].parent != index) {
            segments_[index].parent = segments_[segments_[index].parent].parent;
            index = segments_[index].parent;
        }
        return index;
    }

    std::vector<Segment> segments_;
    std::size_t line_start_ = 0;  // the first segment of the last line
    std::array<Heads, kReach + 1> heads_;
};

// Paints a line, and marks the pixels that have another colour than their left neighbours.
PIXELPLAN_CLONES void scan_line(const std::uint8_t* screen, const std::uint8_t* background, std::uint8_t* departed,
                                Line& painted, Line& changes) {
    if (paint_background<kNoColour>(screen, background, painted)) note_departures(screen, background, departed);
    changes[0] = 0;
    for (int x = 1; x < kScreenWidth; ++x) changes[x] = painted[x] != painted[x - 1];
}

}  // namespace

std::vector<Blob> extract_blobs(const std::uint8_t* screen, const std::uint8_t* background, std::uint8_t* departed) {
    SegmentLinker linker;
    std::array<Line, 2> lines;
    Line changes;
    for (int y = 0; y < kScreenHeight; ++y) {
        Line& painted = lines[y % 2];
        const int offset = y * kScreenWidth;
        scan_line(screen + offset, background + offset, departed + offset, painted, changes);
        if (y > 0 && painted == lines[1 - y % 2]) {
            linker.repeat_line(y);
        } else {
            linker.add_line(y, painted, changes);
        }
    }
    return linker.blobs();
}

}  // namespace pixelplan
