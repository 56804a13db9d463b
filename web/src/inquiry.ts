/** A kind of question to the server: one is asked at a time, and of those that wait only the newest. */

import type { Question, Send } from "./messages";

let requests = 0;

export class Inquiry {
  private asked: { request: number; subject: number } | null = null;
  private wanted: number | null = null;

  constructor(
    private readonly type: Question,
    private readonly send: Send,
  ) {}

  /** Ask about a node. A question about no node in particular ignores the subject, but answers return it. */
  ask(subject: number): void {
    if (this.asked?.subject === subject) {
      this.wanted = null;
      return;
    }
    this.wanted = subject;
    this.askNext();
  }

  /** Take note of an answer or a refusal; return what it is about, null if it is not to this question. */
  settle(request: number): number | null {
    if (this.asked?.request !== request) {
      return null;
    }
    const { subject } = this.asked;
    this.asked = null;
    this.askNext();
    return subject;
  }

  /** No answer will come: the connection was lost, or the episode is another. */
  forget(): void {
    this.asked = this.wanted = null;
  }

  private askNext(): void {
    if (this.asked === null && this.wanted !== null) {
      requests += 1;
      this.asked = { request: requests, subject: this.wanted };
      const [request, node] = [requests, this.wanted];
      this.wanted = null;
      this.send(this.type === "background" ? { type: this.type, request } : { type: this.type, request, node });
    }
  }
}
