import assert from "node:assert/strict";
import { test } from "node:test";
import { type Rules, Tree } from "../src/tree";
import { bushyRows, row } from "./rows";

function values(tree: Tree): number[] {
  return [...tree.nodes.values()].map((node) => node.value);
}

function lengths(tree: Tree): number[] {
  return [...tree.nodes.values()].map((node) => node.lasts);
}

const WARY = { cautious: true, wary: true };
const SEEN = { cautious: false, max_depth: 9, wary: false };

function rules(discount: number, actionCount: number): Rules {
  return { discount, actions: Array.from({ length: actionCount }, (_, action) => action), judges: true, ...SEEN };
}

test("a value is the reward and the discounted best below; the root's reward does not count", () => {
  const tree = new Tree(0, [row(0, null, { reward: 99 }), row(1, 0, { reward: 1 }), row(2, 1, { reward: 4 })]);
  tree.evaluate(rules(0.5, 2));
  assert.deepEqual(values(tree), [1.5, 3, 4]);
});

test("a loss counts only where no untried action is left", () => {
  const rows = [row(0, null), row(1, 0, { reward: 2 }), row(2, 1, { reward: -8 })];
  const tree = new Tree(0, rows);
  tree.evaluate(rules(0.5, 2));
  assert.deepEqual(values(tree), [1, 2, -8]);
  tree.add([row(3, 1, { action: 1, reward: -6 })]);
  tree.evaluate(rules(0.5, 2));
  assert.deepEqual(values(tree).slice(1), [-1, -8, -6]);
});

test("to the cautious an untried action is no way out, and a twin is none to anybody", () => {
  const rows = [row(0, null), row(1, 0), row(2, 1, { reward: -8 }), row(3, 1, { action: 1, isTwin: true })];
  const tree = new Tree(0, rows);
  tree.evaluate({ ...rules(0.5, 3), cautious: true });
  assert.deepEqual(values(tree), [-2, -4, -8, 0]);
  assert.equal(tree.nodes.get(1)?.bestChild()?.row.id, 2);
});

test("what lies behind the end of a branch is not sure, unless it is as deep as the search looks, or an end", () => {
  const tree = new Tree(0, [
    row(0, null),
    row(1, 0, { reward: 5 }),
    row(2, 0, { action: 1, reward: 1 }),
    row(3, 2, { reward: 1 }),
    row(4, 0, { action: 2, reward: -100, hasLostLife: true, isEnd: true }),
    row(5, 0, { action: 3, reward: -100, hasLostLife: true }),
  ]);
  tree.evaluate({ ...rules(1, 4), ...WARY, max_depth: 2 });
  assert.deepEqual(values(tree), [5, 5, 2, 1, -100, -100]);
  assert.deepEqual(lengths(tree), [Infinity, 1, Infinity, Infinity, 0, 0]);
  assert.equal(tree.root?.bestChild()?.row.id, 2);
});

test("the end of the game is as bad as a lost life, unless it is rewarded", () => {
  const tree = new Tree(0, [row(0, null), row(1, 0, { isEnd: true }), row(2, 0, { action: 1, reward: 7, isEnd: true })]);
  tree.evaluate({ ...rules(1, 2), ...WARY });
  assert.deepEqual(lengths(tree), [Infinity, 0, Infinity]);
});

test("where nothing is sure, what goes well for longest is best, and the unknown better than a certain loss", () => {
  const lost = { reward: -100, hasLostLife: true, isEnd: true };
  const rows = [row(0, null), row(1, 0, { reward: 5 }), row(2, 0, { action: 1 }), row(3, 2, lost)];
  const tree = new Tree(0, rows);
  tree.evaluate({ ...rules(1, 3), ...WARY });
  assert.deepEqual(lengths(tree).slice(1), [1, 1, 0]);
  assert.equal(tree.root?.bestChild()?.row.id, 1);
  tree.add([row(4, 2, { action: 1 })]);
  tree.evaluate({ ...rules(1, 3), ...WARY });
  assert.equal(tree.root.bestChild()?.row.id, 2);
});

test("a twin whose sibling is not known leaves its parent's value alone", () => {
  const tree = new Tree(0, [row(0, null), row(1, 0, { reward: 2 }), row(2, 1, { isTwin: true })]);
  tree.evaluate(rules(1, 3));
  assert.deepEqual(values(tree), [2, 2, 0]);
});

test("the best branch follows the plan, the greatest values, and of equal ones the higher subtree", () => {
  const tree = new Tree(0, [
    row(0, null),
    row(1, 0, { action: 0 }),
    row(2, 0, { action: 1 }),
    row(3, 2, { action: 0 }),
    row(4, 2, { action: 1, reward: 1 }),
  ]);
  tree.evaluate(rules(1, 2));
  assert.deepEqual(tree.bestBranch([]).map((node) => node.row.id), [2, 4]);
  assert.deepEqual(tree.bestBranch([0]).map((node) => node.row.id), [1]);
  assert.deepEqual(tree.bestBranch([1, 0]).map((node) => node.row.id), [2, 3]);
  tree.add([row(4, 2, { action: 1 })]);
  tree.evaluate(rules(1, 2));
  assert.deepEqual(tree.bestBranch([]).map((node) => node.row.id), [2, 3]);
});

test("a row of a known node replaces what was known, and keeps its children", () => {
  const tree = new Tree(0, [row(0, null), row(1, 0, { case: 255, isKept: true }), row(2, 1)]);
  tree.add([row(1, 0, { case: 4, isKept: true })]);
  assert.equal(tree.nodes.size, 3);
  assert.equal(tree.nodes.get(1)?.row.case, 4);
  assert.equal(tree.nodes.get(1)?.children[0]?.row.id, 2);
});

test("children are in order of their actions, whatever the order in which they came", () => {
  const tree = new Tree(0, [row(0, null), ...[4, 1, 3, 0].map((action) => row(action + 1, 0, { action }))]);
  assert.deepEqual(tree.root?.children.map((node) => node.row.action), [0, 1, 3, 4]);
});

test("solved nodes are marked; unknown ones are passed over", () => {
  const tree = new Tree(0, [row(0, null), row(1, 0), row(2, 0, { action: 1 })]);
  tree.markSolved([2, 77]);
  assert.deepEqual([...tree.nodes.values()].map((node) => node.row.isSolved), [false, false, true]);
});

test("a node before its parent is refused", () => {
  assert.throws(() => new Tree(0, [row(0, null), row(2, 1)]), RangeError);
});

test("depths, heights and paths fit together in a large tree", () => {
  const tree = new Tree(0, bushyRows(2000, 3));
  tree.evaluate(rules(0.99, 18));
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

test("where an action is only repeated, nothing else is untried", () => {
  const rows = [row(0, null), row(1, 0, { isRepeat: true }), row(2, 1, { reward: -7 })];
  const tree = new Tree(0, rows);
  tree.evaluate(rules(1, 2));
  assert.equal(tree.nodes.get(1)?.value, -7);
  tree.evaluate({ ...rules(1, 2), judges: false });
  assert.equal(tree.nodes.get(1)?.value, 0);
});
