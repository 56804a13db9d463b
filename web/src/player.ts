/** Keys that are pressed anywhere on the page: those of a human who plays, and shortcuts. */

import { HeldKeys } from "./keys";
import type { Send } from "./messages";

export class Player {
  private readonly keys = new HeldKeys();
  private isPlaying = false;
  private sentAction = 0;

  constructor(
    private readonly send: Send,
    private readonly shortcuts: ReadonlyMap<string, () => void>,
  ) {
    document.addEventListener("keydown", this.press);
    document.addEventListener("keyup", (event) => {
      this.keys.release(event.code);
      this.sendAction();
    });
    window.addEventListener("blur", this.releaseAll);
  }

  /** Begin or end to play. */
  setPlaying(isPlaying: boolean): void {
    if (isPlaying !== this.isPlaying) {
      this.isPlaying = isPlaying;
      this.sentAction = 0;
      this.keys.releaseAll();
    }
  }

  private readonly releaseAll = (): void => {
    this.keys.releaseAll();
    this.sendAction();
  };

  private readonly press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) {
      return;
    }
    if (this.isPlaying && HeldKeys.plays(event.code)) {
      event.preventDefault();
      this.keys.press(event.code);
      this.sendAction();
    } else if (!event.repeat) {
      this.shortcuts.get(event.key)?.();
    }
  };

  private sendAction(): void {
    const action = this.keys.action();
    if (this.isPlaying && action !== this.sentAction) {
      this.sentAction = action;
      this.send({ type: "keys", action });
    }
  }
}

/** Whether a form field has the focus that needs the keys itself. */
function isTyping(target: EventTarget | null): boolean {
  const isField = target instanceof HTMLInputElement && !["checkbox", "range"].includes(target.type);
  return isField || target instanceof HTMLSelectElement;
}
