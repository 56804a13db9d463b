/** The lookahead tree: the nodes that the server told of. What they are worth is the planner's word. */

import type { Row } from "./decode";
import { NO_PARENT } from "./generated";

export class TreeNode {
  readonly children: TreeNode[] = [];
  readonly depth: number;
  /** Number of nodes on the longest path that starts here. */
  height = 1;
  /** Place in the layout, in leaves from the left. */
  column = 0;
  /** Where the node is to be drawn, and where it was drawn last, in pixels. */
  x = 0;
  y = 0;
  drawnX = NaN;
  drawnY = NaN;

  constructor(
    public row: Row,
    readonly parent: TreeNode | null,
  ) {
    this.depth = parent === null ? 0 : parent.depth + 1;
  }

  get isDeath(): boolean {
    return this.row.hasLostLife || this.row.isEnd;
  }

  /** The nodes from the root to this one. */
  path(): TreeNode[] {
    const path: TreeNode[] = [this];
    for (let { parent } = this; parent; { parent } = parent) {
      path.push(parent);
    }
    return path.reverse();
  }

  /** The child with the highest subtree. */
  highestChild(): TreeNode | undefined {
    return this.children.reduce<TreeNode | undefined>(
      (highest, child) => (highest && highest.height >= child.height ? highest : child),
      undefined,
    );
  }
}

export class Tree {
  readonly nodes = new Map<number, TreeNode>();
  root: TreeNode | null = null;
  /** The actions of the best branch. */
  branch: number[] = [];

  constructor(
    readonly decision: number,
    rows: Iterable<Row> = [],
  ) {
    this.add(rows);
  }

  /** Add nodes, parents first, or replace what is known of them. */
  add(rows: Iterable<Row>): void {
    for (const row of rows) {
      const known = this.nodes.get(row.id);
      if (known) {
        known.row = row;
      } else {
        this.insert(row);
      }
    }
  }

  private insert(row: Row): void {
    const parent = row.parent === NO_PARENT ? null : this.nodes.get(row.parent);
    if (parent === undefined) {
      throw new RangeError(`node ${row.id} comes before its parent ${row.parent}`);
    }
    const node = new TreeNode(row, parent);
    this.nodes.set(row.id, node);
    if (parent === null) {
      this.root = node;
    } else {
      const place = parent.children.findIndex((sibling) => sibling.row.action > row.action);
      parent.children.splice(place < 0 ? parent.children.length : place, 0, node);
      for (let height = 2, above: TreeNode | null = parent; above && above.height < height; height += 1) {
        above.height = height;
        above = above.parent;
      }
    }
  }

  /** The nodes of the best branch, without the root. */
  bestBranch(): TreeNode[] {
    const nodes: TreeNode[] = [];
    let node = this.root;
    for (const action of this.branch) {
      node = node?.children.find((child) => child.row.action === action) ?? null;
      if (!node) {
        break;
      }
      nodes.push(node);
    }
    return nodes;
  }

  /** Draw nodes that another tree had too from where they were. */
  takePlacesFrom(other: Tree): void {
    for (const [id, node] of this.nodes) {
      const old = other.nodes.get(id);
      if (old) {
        node.drawnX = old.drawnX;
        node.drawnY = old.drawnY;
      }
    }
  }
}
