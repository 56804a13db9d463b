import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeMessage, decodeRuns, SCREEN_HEIGHT, SCREEN_WIDTH } from "../src/decode";
import { NO_PARENT } from "../src/generated";

const PIXELS = SCREEN_WIDTH * SCREEN_HEIGHT;

/** A whole screen of one value but for its first pixels, as pairs (value, run length - 1). */
function screenRuns(firstValue: number, firstLength: number, rest: number): number[] {
  const runs = [firstValue, firstLength - 1];
  for (let left = PIXELS - firstLength; left > 0; left -= 256) {
    runs.push(rest, Math.min(256, left) - 1);
  }
  return runs;
}

function message(kind: number, number: number, ...body: number[]): ArrayBuffer {
  return new Uint8Array([kind, 0, 0, 0, ...u32(number), ...body]).buffer;
}

function u32(value: number): number[] {
  return [...new Uint8Array(new Uint32Array([value]).buffer)];
}

function f32(...values: number[]): number[] {
  return [...new Uint8Array(new Float32Array(values).buffer)];
}

/** A row whose value is half its reward, and of which three actions are sure. */
function rowBytes(id: number, parent: number, reward: number, action: number, kind: number, flags: number): number[] {
  const value = [...new Uint8Array(new Float64Array([reward / 2]).buffer)];
  return [...u32(id), ...u32(parent), ...f32(reward, 3), ...value, action, kind, flags, 0];
}

test("runs become pixels", () => {
  const pixels = decodeRuns(new Uint8Array(screenRuns(148, 3, 254)));
  assert.equal(pixels.length, PIXELS);
  assert.deepEqual([...pixels.subarray(0, 5)], [148, 148, 148, 254, 254]);
  assert.equal(pixels.at(-1), 254);
});

test("runs that are too short, too long or cut off are refused", () => {
  const runs = screenRuns(0, 1, 2);
  assert.throws(() => decodeRuns(new Uint8Array(runs.slice(0, -2))), RangeError);
  assert.throws(() => decodeRuns(new Uint8Array([...runs, 0, 0])), RangeError);
  assert.throws(() => decodeRuns(new Uint8Array([...runs, 0])), RangeError);
});

test("a frame has a number and a screen", () => {
  const runs = screenRuns(10, 160, 0);
  const frame = decodeMessage(message(1, 70_000, ...runs));
  assert.deepEqual(frame, { kind: "frame", number: 70_000, runs: new Uint8Array(runs) });
});

test("a tree has rows and then its best branch", () => {
  const rows = [...rowBytes(5, NO_PARENT, 0, 0, 0, 20), ...rowBytes(70_000, 5, -500_000, 17, 5, 43)];
  const tree = decodeMessage(message(2, 7, ...u32(2), ...rows, 17, 4));
  assert.deepEqual(tree, {
    kind: "tree",
    decision: 7,
    rows: [
      { id: 5, parent: NO_PARENT, reward: 0, value: 0, assured: 3, action: 0, case: 0, isSolved: false, hasLostLife: false, isKept: true, isRepeat: false, isTwin: true, isEnd: false },
      { id: 70_000, parent: 5, reward: -500_000, value: -250_000, assured: 3, action: 17, case: 5, isSolved: true, hasLostLife: true, isKept: false, isRepeat: true, isTwin: false, isEnd: true },
    ],
    branch: [17, 4],
  });
});

test("growth has rows and then the best branch so far", () => {
  const growth = decodeMessage(message(3, 2, ...u32(1), ...rowBytes(9, 5, 1.5, 3, 255, 0), 3));
  assert.ok(growth.kind === "growth");
  assert.deepEqual([growth.decision, growth.rows.length, growth.rows[0]?.case], [2, 1, 255]);
  assert.deepEqual(growth.branch, [3]);
});

test("rows and numbers that are cut off are refused", () => {
  const bytes = rowBytes(5, NO_PARENT, 0, 0, 0, 0);
  assert.throws(() => decodeMessage(message(2, 0, ...u32(1), ...bytes.slice(0, -1))), RangeError);
  assert.throws(() => decodeMessage(message(3, 0, ...u32(2), ...bytes)), RangeError);
  assert.throws(() => decodeMessage(message(5, 0, ...u32(15), ...u32(3), 1, 2)), RangeError);
  assert.throws(() => decodeMessage(message(99, 0)), RangeError);
});

test("a clip has one screen for each frame", () => {
  const [first, second] = [screenRuns(2, 1, 0), screenRuns(4, 20, 6)];
  const clip = decodeMessage(
    message(5, 3, ...u32(15), ...u32(first.length), ...first, ...u32(second.length), ...second),
  );
  assert.deepEqual(clip, {
    kind: "clip",
    request: 3,
    framesPerAction: 15,
    frames: [new Uint8Array(first), new Uint8Array(second)],
  });
});
