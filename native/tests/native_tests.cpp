// Tests of the kernel without Python, to be run under the sanitizers too: each part against a brute-force
// twin on random input, and the novelty table also where its memo and its index of planes overflow.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "pixelplan/blob_table.hpp"
#include "pixelplan/blobs.hpp"
#include "pixelplan/bprost.hpp"
#include "pixelplan/luminance.hpp"
#include "pixelplan/novelty_table.hpp"
#include "pixelplan/tile_counts.hpp"
#include "pixelplan/tiles.hpp"
#include "pixelplan/variable_table.hpp"

namespace {

using namespace pixelplan;

using Numbers = std::vector<std::uint32_t>;
using Pixels = std::vector<std::uint8_t>;
using Planes = std::vector<Plane>;

int passed = 0;
int failed = 0;

void check(bool is_true, const char* condition, const char* file, int line) {
    ++(is_true ? passed : failed);
    if (!is_true) std::printf("%s:%d: failed: %s\n", file, line, condition);
}

#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)

std::mt19937 engine(20180202);

int random_below(int bound) { return static_cast<int>(engine() % static_cast<std::uint32_t>(bound)); }

struct Tile {
    int column;
    int row;
};

void add_tile(Tile tile, Plane& plane) { plane.rows[tile.row] |= static_cast<std::uint16_t>(1u << tile.column); }

Plane make_plane(int colour, std::initializer_list<Tile> tiles) {
    Plane plane{static_cast<std::uint16_t>(colour), {}};
    for (const Tile tile : tiles) add_tile(tile, plane);
    return plane;
}

Plane random_plane(int colour, int max_tiles) {
    Plane plane{static_cast<std::uint16_t>(colour), {}};
    for (int i = 0; i < max_tiles; ++i) add_tile({random_below(kColumns), random_below(kRows)}, plane);
    return plane;
}

std::vector<Tile> tiles_of(const Plane& plane) {
    std::vector<Tile> tiles;
    for (int row = 0; row < kRows; ++row) {
        for (int column = 0; column < kColumns; ++column) {
            if (plane.rows[row] >> column & 1) tiles.push_back({column, row});
        }
    }
    return tiles;
}

Pixels random_picture(int values) {
    Pixels picture(kScreenPixels);
    for (std::uint8_t& pixel : picture) pixel = static_cast<std::uint8_t>(random_below(values));
    return picture;
}

void paint_rectangles(int count, int values, Pixels& picture) {
    for (int i = 0; i < count; ++i) {
        const auto value = static_cast<std::uint8_t>(random_below(values));
        const int left = random_below(kScreenWidth);
        const int top = random_below(kScreenHeight);
        const int width = std::min(1 + random_below(50), kScreenWidth - left);
        const int bottom = std::min(top + 1 + random_below(50), kScreenHeight);
        for (int y = top; y < bottom; ++y) std::fill_n(picture.begin() + y * kScreenWidth + left, width, value);
    }
}

// Pixel by pixel, what `extract_planes` does.
Planes brute_planes(const Pixels& screen, const Pixels& background, Pixels& departed) {
    std::array<Plane, kColours> planes{};
    for (int pixel = 0; pixel < kScreenPixels; ++pixel) {
        const int colour = screen[pixel] / 2;
        const bool is_background = background[pixel] == colour;
        if (background[pixel] != kNoBackground && !is_background) departed[pixel] = 1;
        const Tile tile{pixel % kScreenWidth / kTileWidth, pixel / kScreenWidth / kTileHeight};
        add_tile(tile, planes[is_background ? 0 : colour]);
    }
    Planes result;
    for (int colour = 0; colour < kColours; ++colour) {
        planes[colour].colour = static_cast<std::uint16_t>(colour);
        if (!tiles_of(planes[colour]).empty()) result.push_back(planes[colour]);
    }
    return result;
}

void test_tiles() {
    PlaneBuffer buffer;
    for (const int palette : {1, 2, 5, 40, 256}) {
        for (const int rectangles : {0, 5, 100}) {
            Pixels screen = random_picture(palette);
            paint_rectangles(rectangles, 256, screen);
            Pixels background(kScreenPixels, kNoBackground);
            paint_rectangles(rectangles, (palette + 1) / 2, background);
            Pixels departed = random_picture(2);
            Pixels expected_departed = departed;
            const Planes expected = brute_planes(screen, background, expected_departed);
            CHECK(std::ranges::equal(extract_planes(screen.data(), background.data(), departed.data(), buffer),
                                     expected));
            CHECK(departed == expected_departed);
        }
    }
}

OffsetMap brute_offsets(const Plane& plane, const Plane& other) {
    OffsetMap map{};
    for (const Tile tile : tiles_of(plane)) {
        for (const Tile from : tiles_of(other)) {
            map[kRows - 1 + tile.row - from.row] |= 1u << (kColumns - 1 + tile.column - from.column);
        }
    }
    return map;
}

void test_offsets() {
    OffsetMap map;
    for (const int tiles : {0, 1, 2, 10, 1000}) {
        for (const int other_tiles : {0, 1, 3, 30, 1000}) {
            const Plane plane = random_plane(1, tiles);
            const Plane other = random_plane(2, other_tiles);
            offsets(PlaneLanes(plane), PlaneLanes(other), map);
            CHECK(map == brute_offsets(plane, other));
        }
    }
}

// Worked out by hand; tests/features/test_kernel.py shows how.
void test_atom_numbers() {
    const Plane plane = make_plane(5, {{3, 2}});
    const Plane other = make_plane(9, {{1, 7}});
    const auto all = [](const Planes& current, const Planes& previous) {
        return TileNumbering::numbers(list_atoms(current, previous, true));
    };
    CHECK(all({}, {plane}).empty());
    CHECK((all({plane}, {}) == Numbers{5'637, 6'885'317}));
    CHECK((all({plane, other}, {}) == Numbers{2'697, 5'637, 3'825'076, 6'885'317, 6'885'321}));
    CHECK((all({make_plane(5, {{3, 2}, {1, 7}})}, {}) == Numbers{2'693, 5'637, 6'836'293, 6'885'317}));
    CHECK((all({make_plane(5, {{3, 2}, {3, 9}})}, {}) == Numbers{5'637, 6'533, 6'884'421, 6'885'317}));
    CHECK((all({plane}, {other}) == Numbers{5'637, 6'885'317, 14'537'417}));
    CHECK((TileNumbering::numbers(list_atoms(Planes{plane}, Planes{other}, false)) == Numbers{5'637, 14'537'417}));
    CHECK((TileNumbering::number(Atom{Family::kBasic, 127, 127, 15, 13}) == TileNumbering::kBasicAtoms - 1));
    CHECK((TileNumbering::number(Atom{Family::kSpace, 0, 1, -15, -13}) == TileNumbering::kFirstSpaceAtom));
    CHECK((TileNumbering::number(Atom{Family::kSpace, 127, 127, 0, 0}) == TileNumbering::kFirstTimeAtom - 1));
    CHECK((TileNumbering::number(Atom{Family::kTime, 127, 127, 15, 13}) == TileNumbering::kAtoms - 1));
}

void add_brute_pairs(Family family, const Plane& plane, const Plane& other, std::set<std::uint32_t>& result) {
    for (const Tile tile : tiles_of(plane)) {
        for (const Tile from : tiles_of(other)) {
            const Atom atom{family, plane.colour, other.colour, tile.column - from.column, tile.row - from.row};
            result.insert(TileNumbering::number(atom));
        }
    }
}

Numbers brute_atoms(const Planes& current, const Planes& previous, bool in_space) {
    std::set<std::uint32_t> result;
    for (const Plane& plane : current) {
        for (const Tile tile : tiles_of(plane)) {
            result.insert(
                TileNumbering::number(Atom{Family::kBasic, plane.colour, plane.colour, tile.column, tile.row}));
        }
        for (const Plane& other : current) {
            if (in_space && plane.colour <= other.colour) add_brute_pairs(Family::kSpace, plane, other, result);
        }
        for (const Plane& other : previous) add_brute_pairs(Family::kTime, plane, other, result);
    }
    return {result.begin(), result.end()};
}

// A novelty table and its brute-force twin, and how often they disagreed.
class Match {
  public:
    explicit Match(bool in_space) : in_space_(in_space), table_(in_space) {}

    // Enters the screen, or only looks.
    void meet(const Planes& current, const Planes& previous, int depth) {
        if (random_below(2) == 0) return enter(current, previous, depth);
        record(table_.compare(current, previous, depth), brute_atoms(current, previous, in_space_), depth);
    }

    void enter(const Planes& current, const Planes& previous, int depth) {
        const Numbers atoms = brute_atoms(current, previous, in_space_);
        disagreements += table_.explain(current, previous, depth) != improving(atoms, depth);
        record(table_.update(current, previous, depth), atoms, depth);
        for (const std::uint32_t atom : improving(atoms, depth)) least_depths_[atom] = depth;
    }

    void clear() {
        table_.clear();
        least_depths_.clear();
        disagreements += table_.blocks() != 0;
    }

    int disagreements = 0;
    std::array<int, 3> answers{};

  private:
    void record(Novelty answer, const Numbers& atoms, int depth) {
        const Novelty expected = judge(atoms, depth);
        disagreements += answer != expected;
        ++answers[static_cast<int>(expected)];
    }

    Numbers improving(const Numbers& atoms, int depth) const {
        Numbers result;
        for (const std::uint32_t atom : atoms) {
            const auto found = least_depths_.find(atom);
            if (found == least_depths_.end() || found->second > depth) result.push_back(atom);
        }
        return result;
    }

    Novelty judge(const Numbers& atoms, int depth) const {
        if (!improving(atoms, depth).empty()) return Novelty::kImproves;
        const bool ties = std::ranges::any_of(atoms, [&](auto atom) { return least_depths_.at(atom) == depth; });
        return ties ? Novelty::kTies : Novelty::kWorse;
    }

    bool in_space_;
    NoveltyTable table_;
    std::map<std::uint32_t, int> least_depths_;
};

void check_match(const Match& match) {
    CHECK(match.disagreements == 0);
    for (const int count : match.answers) CHECK(count > 500);
}

// Two looks of each of three colours.
using Looks = std::array<std::array<Plane, 2>, 3>;

Looks random_looks() {
    Looks looks;
    for (int colour = 0; colour < 3; ++colour) {
        for (Plane& plane : looks[colour]) plane = random_plane(63 * colour, 1 + random_below(8));
    }
    return looks;
}

Planes random_screen(const Looks& looks) {
    Planes screen;
    for (const auto& planes : looks) {
        if (const int look = random_below(3); look < 2) screen.push_back(planes[look]);
    }
    return screen;
}

void test_histories(bool in_space) {
    Match match(in_space);
    for (int round = 0; round < 50; ++round) {
        const Looks looks = random_looks();
        for (int step = 0; step < 200; ++step) {
            const Planes current = random_screen(looks);
            const Planes previous = random_below(3) == 0 ? Planes{} : random_screen(looks);
            match.meet(current, previous, random_below(5));
        }
        match.clear();
    }
    check_match(match);
}

// About 40,000 planes, for which their index must grow many times, each beside and before one partner:
// far more pairs than the memo has places, 2^15. What a plane shows alone is entered at depth 0 first, so
// that the answers hang on the pairs.
void test_overflow() {
    constexpr int kPlanes = 40'000;
    Planes planes;
    for (int i = 0; i < kPlanes; ++i) planes.push_back(random_plane(i % (kColours - 1), 2));
    const Plane partner = random_plane(kColours - 1, 3);
    Match match(true);
    match.enter({partner}, {}, 0);
    for (const Plane& plane : planes) match.enter({plane}, {}, 0);
    for (int step = 0; step < 100'000; ++step) {
        const Plane& plane = planes[random_below(kPlanes)];
        const bool is_beside = random_below(2) == 0;
        const int depth = 1 + random_below(30);
        match.meet(is_beside ? Planes{plane, partner} : Planes{partner}, is_beside ? Planes{} : Planes{plane}, depth);
    }
    match.clear();
    match.meet({partner}, {partner}, 0);
    check_match(match);
}

// Each conjunction of up to `width` values, as the list of its variables and values.
using Conjunctions = std::set<std::vector<int>>;

void add_conjunctions(const Pixels& state, int width, std::size_t first, std::vector<int>& chosen,
                      Conjunctions& result) {
    if (!chosen.empty()) result.insert(chosen);
    if (width == 0) return;
    for (std::size_t variable = first; variable < state.size(); ++variable) {
        chosen.push_back(256 * static_cast<int>(variable) + state[variable]);
        add_conjunctions(state, width - 1, variable + 1, chosen, result);
        chosen.pop_back();
    }
}

// Random states of a few variables, at random depths; the table is cleared now and then.
void test_variables(int variables, int values, int width) {
    VariableTable table(variables, values, width);
    std::map<std::vector<int>, int> least_depths;
    std::array<int, 3> answers{};
    int disagreements = 0;
    for (int step = 0; step < 3'000; ++step) {
        Pixels state(variables);
        for (std::uint8_t& value : state) value = static_cast<std::uint8_t>(random_below(values));
        Conjunctions conjunctions;
        std::vector<int> chosen;
        add_conjunctions(state, width, 0, chosen, conjunctions);
        const int depth = random_below(40);
        Verdict verdict;
        for (const auto& conjunction : conjunctions) {
            const auto found = least_depths.find(conjunction);
            verdict.add(found == least_depths.end() ? kNeverReached : static_cast<Depth>(found->second),
                        static_cast<Depth>(depth));
        }
        ++answers[static_cast<int>(verdict.novelty())];
        disagreements += table.compare(state, depth) != verdict.novelty();
        if (random_below(3) > 0) continue;
        disagreements += table.update(state, depth) != verdict.novelty();
        for (const auto& conjunction : conjunctions) {
            const auto [found, is_new] = least_depths.emplace(conjunction, depth);
            found->second = std::min(found->second, depth);
        }
        disagreements += table.size() != least_depths.size();
        if (random_below(400) > 0) continue;
        table.clear();
        least_depths.clear();
    }
    CHECK(disagreements == 0);
    for (const int count : answers) CHECK(count > 20);
}

void test_luminance() {
    const Pixels screen = random_picture(256);
    Luminances blocks;
    Luminances shade;
    extract_luminance(screen.data(), blocks);
    int disagreements = 0;
    for (int block = 0; block < kBlocks; ++block) {
        const int corner = 2 * (block / kBlockColumns) * kScreenWidth + 2 * (block % kBlockColumns);
        if (random_below(200) > 0) continue;
        double sum = 0;
        for (const int pixel : {corner, corner + 1, corner + kScreenWidth, corner + kScreenWidth + 1}) {
            extract_luminance(Pixels(kScreenPixels, screen[pixel]).data(), shade);
            sum += shade[block];
        }
        disagreements += blocks[block] != static_cast<int>(sum / 4 + 0.5);
    }
    CHECK(disagreements == 0);
}

// Pixel by pixel, what `extract_blobs` does.
std::vector<Blob> brute_blobs(const Pixels& screen, const Pixels& background, Pixels& departed) {
    std::vector<bool> is_taken(kScreenPixels);
    std::set<Blob> result;
    for (int first = 0; first < kScreenPixels; ++first) {
        const int colour = screen[first] / 2;
        if (background[first] == colour || is_taken[first]) continue;
        std::vector<int> pixels{first};
        is_taken[first] = true;
        int top = kScreenHeight, bottom = 0, left = kScreenWidth, right = 0;
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            const int y = pixels[i] / kScreenWidth;
            const int x = pixels[i] % kScreenWidth;
            top = std::min(top, y), bottom = std::max(bottom, y);
            left = std::min(left, x), right = std::max(right, x);
            for (int y2 = std::max(y - 6, 0); y2 < std::min(y + 7, kScreenHeight); ++y2) {
                for (int x2 = std::max(x - 6, 0); x2 < std::min(x + 7, kScreenWidth); ++x2) {
                    const int pixel = y2 * kScreenWidth + x2;
                    if (is_taken[pixel] || screen[pixel] / 2 != colour || background[pixel] == colour) continue;
                    is_taken[pixel] = true;
                    pixels.push_back(pixel);
                }
            }
        }
        result.insert({static_cast<std::uint8_t>(colour), static_cast<std::uint8_t>((left + right) / 2 / 4),
                       static_cast<std::uint8_t>((top + bottom) / 2 / 7)});
    }
    for (int pixel = 0; pixel < kScreenPixels; ++pixel) {
        if (background[pixel] != kNoBackground && background[pixel] != screen[pixel] / 2) departed[pixel] = 1;
    }
    std::vector<Blob> blobs{result.begin(), result.end()};
    if (blobs.size() > kMaxBlobs) blobs.resize(kMaxBlobs);
    return blobs;
}

void test_blobs() {
    for (const int palette : {1, 4, 40, 256}) {
        for (const int rectangles : {0, 5, 100}) {
            Pixels screen = random_picture(palette);
            paint_rectangles(rectangles, 256, screen);
            Pixels background(kScreenPixels, kNoBackground);
            paint_rectangles(rectangles, (palette + 1) / 2, background);
            Pixels departed = random_picture(2);
            Pixels expected_departed = departed;
            const std::vector<Blob> expected = brute_blobs(screen, background, expected_departed);
            CHECK(extract_blobs(screen.data(), background.data(), departed.data()) == expected);
            CHECK(departed == expected_departed);
        }
    }
    // Every pixel is a blob of its own, and most are left out: no colour comes again within 7 rows and columns.
    Pixels screen(kScreenPixels);
    for (int pixel = 0; pixel < kScreenPixels; ++pixel) {
        screen[pixel] = static_cast<std::uint8_t>(2 * (pixel / kScreenWidth % 7 * 7 + pixel % kScreenWidth % 7));
    }
    const Pixels background(kScreenPixels, kNoBackground);
    Pixels departed(kScreenPixels);
    CHECK(extract_blobs(screen.data(), background.data(), departed.data()).size() == kMaxBlobs);
}

void test_full_depth_map() {
    DepthMap map(3);
    for (std::uint64_t key = 1; key <= 3; ++key) map.at(key) = 5;
    map.at(7) = 9;
    CHECK(map.size() == 3);
    CHECK(map.get(7) == 0);
    CHECK(map.at(7) == 0);
    CHECK(map.get(2) == 5);
    map.clear();
    CHECK(map.get(7) == kNeverReached);
}

std::vector<Blob> random_blobs() {
    std::set<Blob> blobs;
    for (int i = random_below(8); i > 0; --i) {
        blobs.insert({static_cast<std::uint8_t>(3 * random_below(2)), static_cast<std::uint8_t>(random_below(3)),
                      static_cast<std::uint8_t>(random_below(3))});
    }
    return {blobs.begin(), blobs.end()};
}

void test_blob_table() {
    BlobTable table;
    std::map<std::uint32_t, int> least_depths;
    std::array<int, 3> answers{};
    int disagreements = 0;
    for (int step = 0; step < 10'000; ++step) {
        const std::vector<Blob> current = random_blobs();
        const std::vector<Blob> previous = random_blobs();
        const int depth = random_below(30);
        const Numbers atoms = BlobTable().explain(current, previous, 0);
        Verdict verdict;
        for (const std::uint32_t atom : atoms) {
            const auto found = least_depths.find(atom);
            verdict.add(found == least_depths.end() ? kNeverReached : static_cast<Depth>(found->second),
                        static_cast<Depth>(depth));
        }
        ++answers[static_cast<int>(verdict.novelty())];
        disagreements += table.compare(current, previous, depth) != verdict.novelty();
        disagreements += table.explain(current, previous, depth).empty() == verdict.improves;
        if (random_below(8) > 0) continue;
        disagreements += table.update(current, previous, depth) != verdict.novelty();
        for (const std::uint32_t atom : atoms) {
            const auto [found, is_new] = least_depths.emplace(atom, depth);
            found->second = std::min(found->second, depth);
        }
        disagreements += table.size() != least_depths.size();
        if (random_below(30) > 0) continue;
        table.clear();
        least_depths.clear();
    }
    CHECK(disagreements == 0);
    for (const int count : answers) CHECK(count > 20);
}

void test_tile_counts() {
    TileCounts counts;
    std::map<std::uint32_t, int> seen;
    for (int step = 0; step < 1'000; ++step) {
        const Planes planes{random_plane(3, 20), random_plane(kColours - 1, 5)};
        const Numbers numbers = brute_atoms(planes, {}, false);
        double rarity = 0;
        for (const std::uint32_t number : numbers) rarity += 1.0 / (1 + seen[number]);
        CHECK(std::abs(counts.rarity(planes) - rarity) < 1e-9);
        if (random_below(4) > 0) continue;
        counts.note(planes);
        for (const std::uint32_t number : numbers) ++seen[number];
    }
}

}  // namespace

int main() {
    test_tiles();
    test_offsets();
    test_atom_numbers();
    test_histories(true);
    test_histories(false);
    test_overflow();
    test_variables(5, 2, 1);
    test_variables(4, 3, 2);
    test_variables(5, 2, 3);
    test_luminance();
    test_blobs();
    test_full_depth_map();
    test_blob_table();
    test_tile_counts();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
