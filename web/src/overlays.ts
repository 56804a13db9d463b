/** The switches of what is laid over the screens: tiles, background, and what is new. */

import { decodeRuns } from "./decode";
import { byId } from "./dom";
import { Inquiry } from "./inquiry";
import type { Send } from "./messages";
import type { NodePanel } from "./node_panel";
import type { ScreenView } from "./screen_view";

export class Overlays {
  readonly inquiry: Inquiry;
  private readonly tiles = byId("overlay-tiles", HTMLInputElement);
  private readonly background = byId("overlay-background", HTMLInputElement);
  private readonly novelty = byId("overlay-novelty", HTMLInputElement);
  /** 1 for each pixel of the background. */
  private mask: Uint8Array | null = null;
  private decision = -1;

  constructor(
    send: Send,
    private readonly screen: ScreenView,
    private readonly nodePanel: NodePanel,
  ) {
    this.inquiry = new Inquiry("background", send);
    this.tiles.addEventListener("change", this.draw);
    this.background.addEventListener("change", () => {
      this.mask = null;
      this.draw();
      this.ask();
    });
    this.novelty.addEventListener("change", () => {
      nodePanel.setNovelty(this.novelty.checked);
    });
  }

  begin(): void {
    this.inquiry.forget();
    this.mask = null;
    this.draw();
  }

  /** Another decision: its background may be another one. */
  setDecision(decision: number): void {
    this.decision = decision;
    this.ask();
  }

  receiveBackground(request: number, runs: Uint8Array): void {
    if (this.inquiry.settle(request) !== null && this.background.checked) {
      this.mask = decodeRuns(runs);
      this.draw();
    }
  }

  /** All on, or all off if some are on. */
  readonly toggle = (): void => {
    const switches = [this.tiles, this.background, this.novelty].filter(({ disabled }) => !disabled);
    const isOn = !switches.some(({ checked }) => checked);
    for (const element of switches) {
      element.checked = isOn;
      element.dispatchEvent(new Event("change"));
    }
  };

  private ask(): void {
    if (this.background.checked && this.decision >= 0) {
      this.inquiry.ask(this.decision);
    }
  }

  private readonly draw = (): void => {
    const overlay = { hasTiles: this.tiles.checked, background: this.mask };
    this.screen.drawOverlay(overlay);
    this.nodePanel.setOverlay(overlay);
  };
}
