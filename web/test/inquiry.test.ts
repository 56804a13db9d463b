import assert from "node:assert/strict";
import { test } from "node:test";
import { Inquiry } from "../src/inquiry";
import type { PageMessage } from "../src/messages";

function startInquiry(): { inquiry: Inquiry; sent: { request: number; node: number }[] } {
  const sent: { request: number; node: number }[] = [];
  const send = (message: PageMessage): void => {
    assert.ok(message.type === "screen");
    sent.push({ request: message.request, node: message.node });
  };
  return { inquiry: new Inquiry("screen", send), sent };
}

test("one question is asked at a time, and the newest of those that wait comes next", () => {
  const { inquiry, sent } = startInquiry();
  [5, 6, 7].forEach((node) => {
    inquiry.ask(node);
  });
  assert.deepEqual(sent.map(({ node }) => node), [5]);
  assert.equal(inquiry.settle(sent[0]?.request ?? -1), 5);
  assert.deepEqual(sent.map(({ node }) => node), [5, 7]);
});

test("an answer to something else is not taken", () => {
  const { inquiry, sent } = startInquiry();
  inquiry.ask(5);
  assert.equal(inquiry.settle((sent[0]?.request ?? 0) + 1), null);
  inquiry.ask(6);
  assert.equal(sent.length, 1);
});

test("after a lost connection the next question is asked at once", () => {
  const { inquiry, sent } = startInquiry();
  inquiry.ask(5);
  inquiry.ask(6);
  inquiry.forget();
  inquiry.ask(8);
  assert.deepEqual(sent.map(({ node }) => node), [5, 8]);
});
