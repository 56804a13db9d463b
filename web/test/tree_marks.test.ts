import assert from "node:assert/strict";
import { test } from "node:test";
import { Case, NOT_VISITED } from "../src/generated";
import { Tree } from "../src/tree";
import { sortByStyle } from "../src/tree_marks";
import { row } from "./rows";

test("each node has one mark: losses before rewards, rewards before what was found", () => {
  const tree = new Tree(0, [
    row(0, null, { reward: 5, case: Case.UNTESTED }),
    row(1, 0, { hasLostLife: true, reward: 5 }),
    row(2, 0, { case: NOT_VISITED, isEnd: true }),
    row(3, 0, { reward: 1 }),
    row(4, 0, { case: Case.STILL_NOVEL }),
    row(5, 0, { case: Case.NO_LONGER_NOVEL }),
    row(6, 0, { isSolved: true }),
    row(8, 0, { case: Case.TOO_DEEP, isSolved: true }),
    row(9, 0, { case: NOT_VISITED, isTwin: true }),
    row(7, 0, { case: NOT_VISITED, isKept: true }),
  ]);
  const marks = sortByStyle(tree.nodes.values(), []);
  const ids = (nodes: { row: { id: number } }[]): number[] => nodes.map((node) => node.row.id);
  assert.deepEqual(ids(marks.deaths), [1, 2]);
  assert.deepEqual(ids(marks.rewards), [3]);
  assert.deepEqual(ids(marks.circles.novel), [4]);
  assert.deepEqual(ids(marks.circles.ended), [5, 9]);
  assert.deepEqual(ids(marks.circles.done), [6, 8]);
  assert.deepEqual([ids(marks.circles.passed), ids(marks.squares.passed)], [[0], [7]]);
});

test("solved lines fade, kept or not; the root has no line", () => {
  const tree = new Tree(0, [
    row(0, null),
    row(1, 0),
    row(2, 0, { isKept: true }),
    row(3, 0, { isKept: true, isSolved: true }),
  ]);
  const { lines } = sortByStyle(tree.nodes.values(), []);
  const counts = [lines.open, lines.kept, lines.solved].map((nodes) => nodes.map((node) => node.row.id));
  assert.deepEqual(counts, [[1], [2], [3]]);
});
