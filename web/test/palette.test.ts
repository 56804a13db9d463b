import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREEN_COLOURS } from "../src/palette";

test("there are 128 colours, opaque and distinct", () => {
  const even = SCREEN_COLOURS.filter((_, index) => index % 2 === 0);
  assert.ok(even.every((colour) => colour >>> 24 === 0xff));
  assert.equal(new Set(even).size, 128);
});

test("a colour is stored as red, green, blue, alpha", () => {
  assert.deepEqual([...new Uint8Array(SCREEN_COLOURS.buffer, 4 * 66, 4)], [167, 26, 26, 255]);
});
