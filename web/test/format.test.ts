import assert from "node:assert/strict";
import { test } from "node:test";
import { formatGame, formatNumber, formatOffset, formatValue, formatWorth } from "../src/format";

test("small numbers have decimals, large ones have commas", () => {
  assert.deepEqual([0, 9.876, -1.5, 12.3, 13_747].map(formatNumber), ["0", "9.88", "-1.5", "12", "13,747"]);
});

const risk = { loss_cost: 50_000, death_cost: 500_000 };

test("what a lost life or a lost point costs is shown in words", () => {
  assert.deepEqual([-500_000, -450_000.5, -100_000].map((value) => formatValue(value, risk)), ["like a lost life", "like a lost life", "like a lost point"]);
  assert.deepEqual([-300, 20].map((value) => formatValue(value, risk)), ["-300", "20"]);
  assert.equal(formatValue(-500_000, { loss_cost: 0, death_cost: 0 }), "-500,000");
  assert.equal(formatValue(NaN, risk), "unknown");
});

test("what may end well, and may not, is unsure", () => {
  const worths = [[5, Infinity], [5, 3], [-50_000, 2], [-500_000, 0]] as const;
  const texts = worths.map(([value, assured]) => formatWorth({ value, assured }, risk));
  assert.deepEqual(texts, ["5", "unsure", "like a lost point", "like a lost life"]);
});

test("an offset says where a tile is from another", () => {
  const offsets: [number, number][] = [[0, 0], [1, 0], [-2, 0], [0, 3], [0, -1], [-2, 3]];
  const words = offsets.map(([columns, rows]) => formatOffset(columns, rows));
  assert.deepEqual(words, ["on", "1 right of", "2 left of", "3 below", "1 above", "2 left, 3 below"]);
});

test("a game's name is readable", () => {
  assert.equal(formatGame("ms_pacman"), "Ms Pacman");
});
