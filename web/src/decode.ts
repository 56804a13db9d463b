/** The binary messages: screens as runs of colours, and rows of the lookahead tree. All is little endian. */

import { Flag, Kind, Offset, ROW_BYTES } from "./generated";

export const SCREEN_WIDTH = 160;
export const SCREEN_HEIGHT = 210;
const PIXELS = SCREEN_WIDTH * SCREEN_HEIGHT;
const HEADER_BYTES = 8;

/** A node of the tree, as the server tells it. */
export interface Row {
  id: number;
  parent: number;
  reward: number;
  /** Reward of the last action, plus what the planner expects of what follows. */
  value: number;
  /** For how many actions nothing is lost for sure; endless where the planner believes values as they are. */
  assured: number;
  action: number;
  case: number;
  isSolved: boolean;
  hasLostLife: boolean;
  isKept: boolean;
  /** The last action had no effect, and is the only one to be tried here. */
  isRepeat: boolean;
  /** It shows just what a sibling has shown, and does not count. */
  isTwin: boolean;
  /** Nothing follows: game over, or a lost life where that ends a branch. */
  isEnd: boolean;
}

export type BinaryMessage =
  | { kind: "frame"; number: number; runs: Uint8Array }
  /** A tree in place of another, or more of it, with the actions of its best branch. */
  | { kind: "tree" | "growth"; decision: number; rows: Row[]; branch: number[] }
  | { kind: "screen"; request: number; runs: Uint8Array }
  | { kind: "clip"; request: number; framesPerAction: number; frames: Uint8Array[] }
  | { kind: "background"; request: number; runs: Uint8Array };

/** Return the 160 x 210 pixels of pairs (value, run length - 1), row by row. */
export function decodeRuns(runs: Uint8Array): Uint8Array {
  const pixels = new Uint8Array(PIXELS);
  let end = 0;
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const start = end;
    end += (runs[index + 1] ?? 0) + 1;
    pixels.fill(runs[index] ?? 0, start, end);
  }
  if (end !== PIXELS || runs.length % 2 !== 0) {
    throw new RangeError(`a screen of ${end} pixels in ${runs.length} bytes`);
  }
  return pixels;
}

export function decodeMessage(buffer: ArrayBuffer): BinaryMessage {
  const view = new DataView(buffer);
  const kind = view.getUint8(0);
  const number = view.getUint32(4, true);
  const runs = (): Uint8Array => new Uint8Array(buffer, HEADER_BYTES);
  switch (kind) {
    case Kind.FRAME:
      return { kind: "frame", number, runs: runs() };
    case Kind.TREE:
      return readTree("tree", view, number);
    case Kind.GROWTH:
      return readTree("growth", view, number);
    case Kind.SCREEN:
      return { kind: "screen", request: number, runs: runs() };
    case Kind.CLIP:
      return readClip(view, number);
    case Kind.BACKGROUND:
      return { kind: "background", request: number, runs: runs() };
    default:
      throw new RangeError(`a message of kind ${kind}`);
  }
}

function readTree(kind: "tree" | "growth", view: DataView, decision: number): BinaryMessage {
  const start = HEADER_BYTES + 4;
  const end = start + view.getUint32(HEADER_BYTES, true) * ROW_BYTES;
  return { kind, decision, rows: readRows(view, start, end), branch: [...new Uint8Array(view.buffer, end)] };
}

function readClip(view: DataView, request: number): BinaryMessage {
  const frames: Uint8Array[] = [];
  let offset = HEADER_BYTES + 4;
  while (offset < view.byteLength) {
    const length = view.getUint32(offset, true);
    frames.push(new Uint8Array(view.buffer as ArrayBuffer, offset + 4, length));
    offset += 4 + length;
  }
  return { kind: "clip", request, framesPerAction: view.getUint32(HEADER_BYTES, true), frames };
}

function readRows(view: DataView, start: number, end: number): Row[] {
  const rows: Row[] = [];
  for (let offset = start; offset < end; offset += ROW_BYTES) {
    // The last byte is read too, so that a row that is cut off is an error.
    const flags = view.getUint8(offset + Offset.flags) | (view.getUint8(offset + Offset.unused) << 8);
    rows.push({
      id: view.getUint32(offset + Offset.id, true),
      parent: view.getUint32(offset + Offset.parent, true),
      reward: view.getFloat32(offset + Offset.reward, true),
      value: view.getFloat64(offset + Offset.value, true),
      assured: view.getFloat32(offset + Offset.assured, true),
      action: view.getUint8(offset + Offset.action),
      case: view.getUint8(offset + Offset.case),
      isSolved: (flags & Flag.SOLVED) !== 0,
      hasLostLife: (flags & Flag.LIFE_LOST) !== 0,
      isKept: (flags & Flag.KEPT) !== 0,
      isRepeat: (flags & Flag.REPEAT) !== 0,
      isTwin: (flags & Flag.TWIN) !== 0,
      isEnd: (flags & Flag.END) !== 0,
    });
  }
  return rows;
}
