import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldKeys } from "../src/keys";

const cases: [string[], number][] = [
  [[], 0],
  [["Space"], 1],
  [["ArrowUp"], 2],
  [["KeyD"], 3],
  [["ArrowLeft"], 4],
  [["KeyS"], 5],
  [["ArrowUp", "ArrowRight"], 6],
  [["KeyW", "KeyA"], 7],
  [["ArrowDown", "ArrowRight"], 8],
  [["ArrowDown", "ArrowLeft"], 9],
  [["Space", "ArrowUp"], 10],
  [["Space", "ArrowRight"], 11],
  [["Space", "ArrowLeft"], 12],
  [["Space", "ArrowDown"], 13],
  [["Space", "ArrowUp", "ArrowRight"], 14],
  [["Space", "ArrowUp", "ArrowLeft"], 15],
  [["Space", "ArrowDown", "ArrowRight"], 16],
  [["Space", "ArrowDown", "ArrowLeft"], 17],
  [["ArrowLeft", "ArrowRight"], 0],
];

for (const [codes, action] of cases) {
  test(`${codes.join(" + ") || "no key"} is action ${action}`, () => {
    const keys = new HeldKeys();
    codes.forEach((code) => {
      keys.press(code);
    });
    assert.equal(keys.action(), action);
    keys.releaseAll();
    assert.equal(keys.action(), 0);
  });
}
