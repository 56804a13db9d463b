/** The lookahead tree on a canvas: it grows, moves smoothly, and its nodes can be pointed at or walked through. */

import { brush, colour, darkScheme, fit, reducedMotion } from "./dom";
import { layOut } from "./layout";
import type { Tree, TreeNode } from "./tree";
import { fillCircles, fillDiamonds, fillSquares, sortByStyle, strokeCrosses, strokeLines } from "./tree_marks";
import type { Marks } from "./tree_marks";

const MARGIN = 16;
const LARGEST_STEP = 44;
/** Below 1: what comes soon has more room than what is far away. */
const DEPTH_POWER = 0.7;
const POINTER_REACH = 16;
/** How long a node takes for about two thirds of its way to a new place. */
const EASING_MS = 80;

interface Listener {
  /** A node is pointed at or walked to. */
  look(node: TreeNode): void;
  /** A node is clicked or entered: its branch is to be played. Null: no node any more. */
  choose(node: TreeNode | null): void;
}

export class TreeView {
  /** How long the last drawing took, layout included. */
  drawMilliseconds = 0;
  private tree: Tree | null = null;
  private marks: Marks | null = null;
  private hasChanged = true;
  private isMoving = false;
  private lastTick = 0;
  private radius = 0;
  private pointed: TreeNode | null = null;
  private chosen: TreeNode | null = null;
  private colours = readColours();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly listener: Listener,
  ) {
    new ResizeObserver(this.change).observe(canvas);
    darkScheme.addEventListener("change", () => {
      this.colours = readColours();
      this.change();
    });
    canvas.addEventListener("pointermove", (event) => {
      this.look(this.nodeAt(event));
    });
    canvas.addEventListener("pointerleave", () => {
      this.look(null);
    });
    canvas.addEventListener("click", (event) => {
      this.choose(this.nodeAt(event));
    });
    canvas.addEventListener("keydown", this.press);
  }

  /** Show a tree. */
  show(tree: Tree): void {
    if (this.tree) {
      tree.takePlacesFrom(this.tree);
    }
    this.tree = tree;
    this.pointed = tree.nodes.get(this.pointed?.row.id ?? -1) ?? null;
    this.chosen = tree.nodes.get(this.chosen?.row.id ?? -1) ?? null;
    this.change();
  }

  readonly change = (): void => {
    this.hasChanged = true;
  };

  /** Draw if there is something new to draw. */
  tick(now: number): void {
    if (this.hasChanged || this.isMoving) {
      const start = performance.now();
      if (this.hasChanged) {
        this.layOut();
      }
      this.move(reducedMotion.matches ? 1 : 1 - Math.exp(-(now - this.lastTick) / EASING_MS));
      this.draw();
      this.drawMilliseconds = performance.now() - start;
    }
    this.lastTick = now;
  }

  private layOut(): void {
    const { width, height } = fit(this.canvas);
    const extent = this.tree?.root ? layOut(this.tree.root) : { columns: 1, depth: 0 };
    const depth = Math.max(1, extent.depth);
    const length = Math.min(LARGEST_STEP * depth, height - 2 * MARGIN);
    const spacing = (width - 2 * MARGIN) / extent.columns;
    this.radius = Math.min(4, Math.max(1.7, 0.3 * Math.min(spacing, length / depth)));
    for (const node of this.tree?.nodes.values() ?? []) {
      node.x = MARGIN + (node.column + 0.5) * spacing;
      node.y = MARGIN + length * (node.depth / depth) ** DEPTH_POWER;
    }
    this.marks = sortByStyle(this.tree?.nodes.values() ?? [], this.tree?.bestBranch() ?? []);
    this.hasChanged = false;
  }

  private move(part: number): void {
    let farthest = 0;
    for (const node of this.tree?.nodes.values() ?? []) {
      if (Number.isNaN(node.drawnX)) {
        node.drawnX = node.parent?.drawnX ?? node.x;
        node.drawnY = node.parent?.drawnY ?? node.y;
      }
      node.drawnX += (node.x - node.drawnX) * part;
      node.drawnY += (node.y - node.drawnY) * part;
      farthest = Math.max(farthest, Math.abs(node.x - node.drawnX), Math.abs(node.y - node.drawnY));
    }
    this.isMoving = farthest > 0.2;
  }

  private draw(): void {
    const context = brush(this.canvas);
    const { colours, marks, radius } = this;
    context.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    if (!marks) {
      return;
    }
    strokeLines(context, marks.lines.solved, colours.solved, 0.8);
    strokeLines(context, marks.lines.open, colours.line, 1);
    strokeLines(context, marks.lines.kept, colours.kept, 1);
    strokeLines(context, marks.lines.best, colours.best, 3.5);
    for (const finding of ["ended", "passed", "done", "novel"] as const) {
      const size = finding === "novel" ? radius : 0.8 * radius;
      fillCircles(context, marks.circles[finding], colours[finding], size);
      const isOpen = finding === "novel" || finding === "passed";
      fillSquares(context, marks.squares[finding], isOpen ? colours.kept : colours[finding], size);
    }
    strokeCrosses(context, marks.deaths, colours.death, radius + 1);
    fillDiamonds(context, marks.rewards, colours.reward, radius + 3);
    const plain = marks.lines.best.filter((node) => !node.isDeath && node.row.reward <= 0);
    fillCircles(context, plain.filter(({ row }) => !row.isKept), colours.best, radius + 1);
    fillSquares(context, plain.filter(({ row }) => row.isKept), colours.best, radius + 1);
    this.drawSelection(context, this.chosen, 2.5);
    this.drawSelection(context, this.pointed, 1.5);
  }

  private drawSelection(context: CanvasRenderingContext2D, node: TreeNode | null, width: number): void {
    if (node) {
      strokeLines(context, node.path(), this.colours.text, width);
      context.beginPath();
      context.arc(node.drawnX, node.drawnY, 8, 0, 2 * Math.PI);
      context.lineWidth = 2;
      context.stroke();
    }
  }

  private nodeAt(event: MouseEvent): TreeNode | null {
    let nearest: TreeNode | null = null;
    let least = POINTER_REACH;
    for (const node of this.tree?.nodes.values() ?? []) {
      const distance = Math.hypot(node.drawnX - event.offsetX, node.drawnY - event.offsetY);
      if (distance < least) {
        nearest = node;
        least = distance;
      }
    }
    return nearest;
  }

  private look(node: TreeNode | null): void {
    if (node !== this.pointed) {
      this.pointed = node;
      this.change();
      if (node) {
        this.listener.look(node);
      }
    }
  }

  private choose(node: TreeNode | null): void {
    this.chosen = node;
    this.pointed = node;
    this.change();
    this.listener.choose(node);
  }

  private readonly press = (event: KeyboardEvent): void => {
    const node = this.pointed ?? this.chosen ?? this.tree?.root ?? null;
    switch (event.key) {
      case "ArrowUp":
        this.look(node?.parent ?? node);
        break;
      case "ArrowDown":
        this.look(node && this.below(node));
        break;
      case "ArrowLeft":
        this.look(node && this.neighbour(node, -1));
        break;
      case "ArrowRight":
        this.look(node && this.neighbour(node, 1));
        break;
      case "Enter":
        this.choose(node);
        break;
      case "Escape":
        this.choose(null);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  /** The child on the best branch, or else the one with the highest subtree. */
  private below(node: TreeNode): TreeNode {
    return this.tree?.bestBranch().find((best) => best.parent === node) ?? node.highestChild() ?? node;
  }

  /** The next node of the same depth, to the left (-1) or the right (1). */
  private neighbour(node: TreeNode, side: number): TreeNode {
    let nearest = node;
    let least = Infinity;
    for (const other of this.tree?.nodes.values() ?? []) {
      const distance = (other.column - node.column) * side;
      if (other.depth === node.depth && distance > 0 && distance < least) {
        nearest = other;
        least = distance;
      }
    }
    return nearest;
  }
}

function readColours() {
  return {
    line: colour("line"),
    solved: colour("solved"),
    best: colour("best"),
    novel: colour("novel"),
    done: colour("done"),
    kept: colour("kept"),
    passed: colour("passed"),
    ended: colour("ended"),
    reward: colour("reward"),
    death: colour("death"),
    text: colour("text"),
  };
}
