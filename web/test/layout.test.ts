import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../src/layout";
import { Tree, type TreeNode } from "../src/tree";
import { bushyRows, row } from "./rows";

function layOutRows(rows: Iterable<ReturnType<typeof row>>): { nodes: TreeNode[]; columns: number; depth: number } {
  const tree = new Tree(0, rows);
  assert.ok(tree.root);
  return { nodes: [...tree.nodes.values()], ...layOut(tree.root) };
}

test("a root alone has one column", () => {
  const { columns, depth, nodes } = layOutRows([row(0, null)]);
  assert.deepEqual([columns, depth, nodes[0]?.column], [1, 0, 0]);
});

test("a node is in the middle above its children, which are in order of their actions", () => {
  const { nodes } = layOutRows([row(0, null), row(1, 0, { action: 9 }), row(2, 0, { action: 2 }), row(3, 0, { action: 5 })]);
  assert.deepEqual(nodes.map((node) => node.column), [1, 2, 0, 1]);
});

test("a chain of any length is one column", () => {
  const rows = Array.from({ length: 2000 }, (_, id) => row(id, id === 0 ? null : id - 1));
  const { columns, depth, nodes } = layOutRows(rows);
  assert.deepEqual([columns, depth], [1, 1999]);
  assert.ok(nodes.every((node) => node.column === 0));
});

for (const branching of [2, 5, 18]) {
  test(`no two of 2,000 nodes are in one place, ${branching} children each`, () => {
    const { nodes, columns, depth } = layOutRows(bushyRows(2000, branching));
    for (let level = 0; level <= depth; level += 1) {
      const places = nodes.filter((node) => node.depth === level).map((node) => node.column);
      places.sort((a, b) => a - b);
      places.slice(1).forEach((place, index) => {
        assert.ok(place - (places[index] ?? NaN) >= 1);
      });
      assert.ok((places[0] ?? -1) >= 0 && (places.at(-1) ?? columns) <= columns - 1);
    }
  });

  test(`subtrees do not cross, ${branching} children each`, () => {
    const { nodes } = layOutRows(bushyRows(2000, branching));
    for (const { children, column } of nodes) {
      const columns = children.map((child) => child.column);
      assert.deepEqual(columns, columns.toSorted((a, b) => a - b));
      assert.ok(children.length === 0 || (Math.min(...columns) <= column && column <= Math.max(...columns)));
    }
  });
}
