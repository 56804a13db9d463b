import assert from "node:assert/strict";
import { test } from "node:test";
import { Tree } from "../src/tree";
import { bushyRows, row } from "./rows";

test("the best branch is what the server tells, as far as its nodes are known", () => {
  const tree = new Tree(0, [row(0, null), row(1, 0, { action: 4 }), row(2, 1, { action: 7 }), row(3, 0, { value: 9 })]);
  const ids = (): number[] => tree.bestBranch().map((node) => node.row.id);
  assert.deepEqual(ids(), []);
  tree.branch = [4, 7, 2];
  assert.deepEqual(ids(), [1, 2]);
  tree.branch = [0];
  assert.deepEqual(ids(), [3]);
});

test("a node is as high as its highest child and one more, in whatever order children come", () => {
  const tree = new Tree(0, [row(0, null), row(1, 0), row(2, 0, { action: 1 }), row(3, 2), row(4, 3), row(5, 1)]);
  assert.deepEqual([...tree.nodes.values()].map((node) => node.height), [4, 2, 3, 2, 1, 1]);
  assert.equal(tree.root?.highestChild()?.row.id, 2);
  assert.equal(tree.nodes.get(4)?.highestChild(), undefined);
});

test("a row of a known node replaces what was known, and keeps its children", () => {
  const tree = new Tree(0, [row(0, null), row(1, 0, { case: 255, isKept: true }), row(2, 1)]);
  tree.add([row(1, 0, { case: 4, isKept: true, value: 7 })]);
  assert.equal(tree.nodes.size, 3);
  assert.deepEqual([tree.nodes.get(1)?.row.case, tree.nodes.get(1)?.row.value], [4, 7]);
  assert.equal(tree.nodes.get(1)?.children[0]?.row.id, 2);
});

test("children are in order of their actions, whatever the order in which they came", () => {
  const tree = new Tree(0, [row(0, null), ...[4, 1, 3, 0].map((action) => row(action + 1, 0, { action }))]);
  assert.deepEqual(tree.root?.children.map((node) => node.row.action), [0, 1, 3, 4]);
});

test("a node before its parent is refused", () => {
  assert.throws(() => new Tree(0, [row(0, null), row(2, 1)]), RangeError);
});

test("depths, heights and paths fit together in a large tree", () => {
  const tree = new Tree(0, bushyRows(2000, 3));
  const deepest = [...tree.nodes.values()].reduce((a, b) => (b.depth > a.depth ? b : a));
  assert.equal(tree.root?.height, deepest.depth + 1);
  assert.deepEqual(deepest.path().map((node) => node.depth), [...Array(deepest.depth + 1).keys()]);
});

test("nodes that an earlier tree had are drawn from where they were", () => {
  const before = new Tree(0, [row(0, null), row(1, 0)]);
  Object.assign(before.nodes.get(1) ?? {}, { drawnX: 30, drawnY: 40 });
  const after = new Tree(1, [row(1, null), row(2, 1)]);
  after.takePlacesFrom(before);
  assert.deepEqual([after.root?.drawnX, after.root?.drawnY], [30, 40]);
  assert.ok(Number.isNaN(after.nodes.get(2)?.drawnX));
});
