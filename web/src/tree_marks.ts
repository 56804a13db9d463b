/** How the nodes and lines of the tree look: sorted by style, so that each style is one path to draw. */

import { Case, NOT_VISITED } from "./generated";
import type { TreeNode } from "./tree";

/** `done`: novel, but everything below has been seen. */
export type Finding = "ended" | "passed" | "done" | "novel";

export interface Marks {
  lines: { solved: TreeNode[]; kept: TreeNode[]; open: TreeNode[]; best: TreeNode[] };
  /** Circles: new nodes. Squares: kept from earlier decisions. */
  circles: Record<Finding, TreeNode[]>;
  squares: Record<Finding, TreeNode[]>;
  rewards: TreeNode[];
  deaths: TreeNode[];
}

export function sortByStyle(nodes: Iterable<TreeNode>, best: TreeNode[]): Marks {
  const marks: Marks = {
    lines: { solved: [], kept: [], open: [], best },
    circles: { ended: [], passed: [], done: [], novel: [] },
    squares: { ended: [], passed: [], done: [], novel: [] },
    rewards: [],
    deaths: [],
  };
  for (const node of nodes) {
    if (node.parent) {
      marks.lines[node.row.isSolved ? "solved" : node.row.isKept ? "kept" : "open"].push(node);
    }
    if (node.parent && node.isDeath) {
      marks.deaths.push(node);
    } else if (node.parent && node.row.reward > 0) {
      marks.rewards.push(node);
    } else {
      marks[node.row.isKept ? "squares" : "circles"][finding(node)].push(node);
    }
  }
  return marks;
}

function finding({ row }: TreeNode): Finding {
  if (row.isTwin) {
    return "ended";
  }
  switch (row.case) {
    case Case.NOT_NOVEL:
    case Case.NO_LONGER_NOVEL:
      return "ended";
    case Case.UNTESTED:
    case NOT_VISITED:
      return "passed";
    default:
      return row.isSolved ? "done" : "novel";
  }
}

type Context = CanvasRenderingContext2D;

/** Lines to the nodes from their parents. */
export function strokeLines(context: Context, nodes: TreeNode[], style: string, width: number): void {
  context.beginPath();
  for (const node of nodes) {
    if (node.parent) {
      const { drawnX: x, drawnY: y } = node.parent;
      const middle = (y + node.drawnY) / 2;
      context.moveTo(x, y);
      context.bezierCurveTo(x, middle, node.drawnX, middle, node.drawnX, node.drawnY);
    }
  }
  context.lineWidth = width;
  context.strokeStyle = style;
  context.stroke();
}

export function fillCircles(context: Context, nodes: TreeNode[], style: string, radius: number): void {
  context.beginPath();
  for (const node of nodes) {
    context.moveTo(node.drawnX + radius, node.drawnY);
    context.arc(node.drawnX, node.drawnY, radius, 0, 2 * Math.PI);
  }
  context.fillStyle = style;
  context.fill();
}

export function fillSquares(context: Context, nodes: TreeNode[], style: string, radius: number): void {
  context.beginPath();
  for (const node of nodes) {
    context.rect(node.drawnX - radius, node.drawnY - radius, 2 * radius, 2 * radius);
  }
  context.fillStyle = style;
  context.fill();
}

export function fillDiamonds(context: Context, nodes: TreeNode[], style: string, radius: number): void {
  context.beginPath();
  for (const { drawnX: x, drawnY: y } of nodes) {
    context.moveTo(x, y - radius);
    context.lineTo(x + radius, y);
    context.lineTo(x, y + radius);
    context.lineTo(x - radius, y);
  }
  context.fillStyle = style;
  context.fill();
}

export function strokeCrosses(context: Context, nodes: TreeNode[], style: string, radius: number): void {
  context.beginPath();
  for (const { drawnX: x, drawnY: y } of nodes) {
    context.moveTo(x - radius, y - radius);
    context.lineTo(x + radius, y + radius);
    context.moveTo(x - radius, y + radius);
    context.lineTo(x + radius, y - radius);
  }
  context.lineWidth = radius / 2;
  context.strokeStyle = style;
  context.stroke();
}
