/**
 * Where the nodes of a tree are: depth downwards, one column for each leaf, children in order of their actions.
 *
 * A node stands in the middle between its first and its last child, so nodes of one depth are at least
 * one column apart, and lines never cross.
 */

import type { TreeNode } from "./tree";

export interface Extent {
  columns: number;
  depth: number;
}

export function layOut(root: TreeNode): Extent {
  const order: TreeNode[] = [];
  const stack = [root];
  let columns = 0;
  let depth = 0;
  for (let node = stack.pop(); node; node = stack.pop()) {
    order.push(node);
    depth = Math.max(depth, node.depth);
    if (node.children.length === 0) {
      node.column = columns;
      columns += 1;
    }
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      stack.push(node.children[index] ?? root);
    }
  }
  for (const node of order.reverse()) {
    const first = node.children.at(0);
    const last = node.children.at(-1);
    if (first && last) {
      node.column = (first.column + last.column) / 2;
    }
  }
  return { columns, depth };
}
