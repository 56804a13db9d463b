import assert from "node:assert/strict";
import { test } from "node:test";
import { Clip } from "../src/clip";

function makeClip(frameCount: number): Clip {
  return new Clip(Array.from({ length: frameCount }, () => new Uint8Array()), 15);
}

test("a clip runs at 60 frames a second from when it is first seen, rests at its end, and begins again", () => {
  const clip = makeClip(30);
  const indexAt = (ms: number): number => clip.indexAt(7000 + ms);
  assert.deepEqual([0, 17, 250, 499].map(indexAt), [0, 1, 15, 29]);
  assert.deepEqual([500, 1100, 1166].map(indexAt), [29, 29, 29]);
  assert.deepEqual([1167, 1184].map(indexAt), [0, 1]);
});

test("each action has its frames", () => {
  const clip = makeClip(45);
  assert.deepEqual([0, 14, 15, 44].map((index) => clip.actionAt(index)), [0, 0, 1, 2]);
});
