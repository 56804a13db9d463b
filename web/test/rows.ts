/** Rows of small trees. */

import type { Row } from "../src/decode";
import { NO_PARENT } from "../src/generated";

export function row(id: number, parent: number | null, changes: Partial<Row> = {}): Row {
  return {
    id,
    parent: parent ?? NO_PARENT,
    reward: 0,
    value: 0,
    assured: Infinity,
    action: 0,
    case: 1,
    isSolved: false,
    hasLostLife: false,
    isKept: false,
    isRepeat: false,
    isTwin: false,
    isEnd: false,
    ...changes,
  };
}

/** A tree in which the parent of node n is (n - 1) / branching: 2,000 nodes and more are no trouble. */
export function bushyRows(count: number, branching: number): Row[] {
  return Array.from({ length: count }, (_, id) =>
    row(id, id === 0 ? null : Math.floor((id - 1) / branching), { action: (id * 7) % 18, reward: id % 5 }),
  );
}
