/** The frames of a branch, to be played in a loop at the console's speed. */

const FRAMES_PER_SECOND = 60;
/** How long the last frame stays before the branch begins again. */
const PAUSE_FRAMES = 40;

export class Clip {
  /** The frame that was drawn last. */
  drawn = -1;
  private start: number | null = null;

  constructor(
    readonly frames: Uint8Array[],
    private readonly framesPerAction: number,
  ) {}

  /** Which frame is to be seen; the first one when this is first asked. */
  indexAt(nowMs: number): number {
    this.start ??= nowMs;
    const position = Math.floor(((nowMs - this.start) * FRAMES_PER_SECOND) / 1000);
    return Math.min(position % (this.frames.length + PAUSE_FRAMES), this.frames.length - 1);
  }

  /** Which action of the branch leads to a frame, from 0 on. */
  actionAt(index: number): number {
    return Math.floor(index / this.framesPerAction);
  }
}
