/** The lookahead tree: the nodes that the server told of, and what follows from them. */

import { NO_PARENT, type Row } from "./decode";

/** What was found on arriving at a node. Paper: 1 to 4 are the cases of Figure 1. */
export const Case = {
  UNTESTED: 0,
  NOVEL: 1,
  NOT_NOVEL: 2,
  NO_LONGER_NOVEL: 3,
  STILL_NOVEL: 4,
  DEAD_END: 5,
  TOO_DEEP: 6,
  TWIN: 7,
  FOLLOWED: 8,
  NOT_VISITED: 255,
} as const;

/** By what a search values its nodes. */
export interface Rules {
  discount: number;
  /** What may be tried in a node. */
  actions: number[];
  /** Whether the search judges novelty: then an action without effect is repeated before its node is judged. */
  judges: boolean;
  /** Whether an action that was not tried does not count where all others lead to a loss. */
  cautious: boolean;
  /** Depth at which a branch ends. */
  max_depth: number;
  /** Whether a branch is believed only as far as it was followed. */
  wary: boolean;
}

export class TreeNode {
  readonly children: TreeNode[] = [];
  readonly depth: number;
  /** Number of nodes on the longest path that starts here. */
  height = 1;
  /** Reward of the last action, plus the discounted value of the best continuation. */
  value = 0;
  /** For how many actions nothing is lost for sure, from the last one on; to those who are not wary, for ever. */
  lasts = Infinity;
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

  evaluate({ discount, actions, judges, cautious, max_depth, wary }: Rules): void {
    this.height = 1;
    const reward = this.parent === null ? 0 : this.row.reward;
    this.value = reward;
    // The end of the game is no good unless it is rewarded.
    const isLost = wary && (reward < 0 || (this.row.isEnd && reward === 0));
    const isSeenWhole = !wary || this.row.isEnd || this.depth >= max_depth;
    this.lasts = isLost ? 0 : isSeenWhole ? Infinity : 1;
    let best = -Infinity;
    let longest = 0;
    for (const child of this.children) {
      if (!child.row.isTwin) {
        best = Math.max(best, child.value);
        longest = Math.max(longest, child.lasts);
      }
      this.height = Math.max(this.height, child.height + 1);
    }
    if (best === -Infinity) {
      // No child; or rollouts in flight have told of a twin, and not of its sibling.
      return;
    }
    const actionCount = judges && this.row.isRepeat ? 1 : actions.length;
    if (best < 0 && !cautious && this.children.length < actionCount) {
      best = 0;
    }
    this.value = reward + discount * best;
    this.lasts = isLost ? 0 : longest + 1;
  }

  bestChild(): TreeNode | undefined {
    const children = this.children.filter((child) => !child.row.isTwin);
    let best = children[0];
    for (const child of children) {
      if (best && isSurer(child, best)) {
        best = child;
      }
    }
    return best;
  }
}

function isSurer(node: TreeNode, other: TreeNode): boolean {
  if (node.lasts !== other.lasts) {
    return node.lasts > other.lasts;
  }
  return node.value > other.value || (node.value === other.value && node.height > other.height);
}

export class Tree {
  readonly nodes = new Map<number, TreeNode>();
  root: TreeNode | null = null;

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
    }
  }

  markSolved(ids: Iterable<number>): void {
    for (const id of ids) {
      const node = this.nodes.get(id);
      if (node) {
        node.row.isSolved = true;
      }
    }
  }

  /** Compute values and heights. */
  evaluate(rules: Rules): void {
    for (const node of [...this.nodes.values()].reverse()) {
      node.evaluate(rules);
    }
  }

  /** The branch that the planner prefers, without the root; it begins with the planned actions, if they are known. */
  bestBranch(plan: number[]): TreeNode[] {
    const branch: TreeNode[] = [];
    const after = (node: TreeNode | null, action: number | undefined): TreeNode | undefined =>
      node?.children.find((child) => child.row.action === action) ?? node?.bestChild();
    let node = after(this.root, plan[0]);
    while (node) {
      branch.push(node);
      node = after(node, plan[branch.length]);
    }
    return branch;
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
