/** The score over the frames of the episode, with lines for scores to compare it with. */

import { brush, byId, colour, darkScheme, fit } from "./dom";
import { formatNumber } from "./format";

const LEFT = 8;
const TOP = 14;
const BOTTOM = 16;

interface Level {
  name: string;
  score: number;
}

export class ScoreView {
  private readonly canvas = byId("score-graph", HTMLCanvasElement);
  private frames: number[] = [];
  private scores: number[] = [];
  private levels: Level[] = [];
  private position = 0;
  private hasChanged = true;

  constructor() {
    new ResizeObserver(this.change).observe(this.canvas);
    darkScheme.addEventListener("change", this.change);
  }

  private readonly change = (): void => {
    this.hasChanged = true;
  };

  begin(human: number | null, paper: number | null): void {
    this.levels = [];
    if (human !== null) {
      this.levels.push({ name: "human", score: human });
    }
    if (paper !== null) {
      this.levels.push({ name: "paper", score: paper });
    }
    this.setHistory([], []);
  }

  setHistory(frames: number[], scores: number[]): void {
    this.frames = frames;
    this.scores = scores;
    this.change();
  }

  /** Add what came of a decision; one that is known already changes nothing. */
  add(frames: number, score: number): void {
    if (frames > (this.frames.at(-1) ?? -1)) {
      this.frames.push(frames);
      this.scores.push(score);
      this.change();
    }
  }

  /** Mark a place in what was played. */
  setPosition(frames: number): void {
    this.position = frames;
    this.change();
  }

  tick(): void {
    if (this.hasChanged) {
      this.hasChanged = false;
      this.draw();
    }
  }

  private draw(): void {
    const { width, height } = fit(this.canvas);
    const context = brush(this.canvas);
    context.clearRect(0, 0, width, height);
    const lastFrame = Math.max(60, this.frames.at(-1) ?? 0);
    const shown = [0, ...this.scores, ...this.levels.map(({ score }) => score)];
    const low = shown.reduce((a, b) => Math.min(a, b));
    const high = shown.reduce((a, b) => Math.max(a, b), low + 1);
    const x = (frame: number): number => LEFT + (frame / lastFrame) * (width - 2 * LEFT);
    const y = (score: number): number => TOP + ((high - score) / (high - low)) * (height - TOP - BOTTOM);
    context.font = "11px system-ui, sans-serif";
    this.levels.forEach(({ name, score }, index) => {
      context.setLineDash(index === 0 ? [6, 4] : [2, 3]);
      context.strokeStyle = context.fillStyle = colour(name);
      strokeSteps(context, [LEFT, width - LEFT], [y(score), y(score)]);
      context.textAlign = index === 0 ? "left" : "right";
      context.fillText(`${name} ${formatNumber(score)}`, index === 0 ? LEFT : width - LEFT, y(score) - 4);
    });
    context.setLineDash([]);
    context.lineWidth = 2;
    context.strokeStyle = colour("novel");
    strokeSteps(context, [x(0), ...this.frames.map(x)], [y(0), ...this.scores.map(y)]);
    context.lineWidth = 1;
    context.strokeStyle = context.fillStyle = colour("muted");
    if (this.position < lastFrame) {
      strokeSteps(context, [x(this.position), x(this.position)], [TOP, height - BOTTOM]);
    }
    context.textAlign = "right";
    context.fillText(`${formatNumber(lastFrame / 60)} s`, width - LEFT, height - 3);
    const score = formatNumber(this.scores.at(-1) ?? 0);
    this.canvas.setAttribute("aria-label", `Score ${score} after ${formatNumber(lastFrame / 60)} seconds of play`);
  }
}

/** A line that goes on level until the next point. */
function strokeSteps(context: CanvasRenderingContext2D, xs: number[], ys: number[]): void {
  context.beginPath();
  xs.forEach((x, index) => {
    context.lineTo(x, ys[Math.max(0, index - 1)] ?? 0);
    context.lineTo(x, ys[index] ?? 0);
  });
  context.stroke();
}
