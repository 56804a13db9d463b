/** The small screen: what a node of the tree looks like, and the branch that leads to it, played in a loop. */

import { Clip } from "./clip";
import type { Row } from "./decode";
import { byId, make } from "./dom";
import { formatCase, formatValue, formatWorth } from "./format";
import { Inquiry } from "./inquiry";
import { Case } from "./generated";
import type { Episode, Novel, Send } from "./messages";
import { describeNovelty } from "./novel_features";
import { ScreenView, type Overlay } from "./screen_view";
import type { Tree, TreeNode } from "./tree";

const ENDING_CASES: number[] = [Case.NOT_NOVEL, Case.NO_LONGER_NOVEL, Case.TOO_DEEP, Case.TWIN];
/** Untried actions count as much. */
const NOTHING_FOUND = { value: 0, assured: Infinity };
const CACHED_SCREENS = 200;
const HINT = "Point at a dot of the tree, or use the arrow keys in it; click or press Enter to play its branch.";

export class NodePanel {
  readonly inquiries: { screen: Inquiry; branch: Inquiry; novelty: Inquiry };
  private readonly screen = new ScreenView(byId("node-screen", HTMLCanvasElement));
  private readonly info = byId("node-info", HTMLElement);
  private readonly caption = byId("step-caption", HTMLElement);
  /** The last screens by node; the oldest first. */
  private readonly screens = new Map<number, Uint8Array>();
  private tree: Tree | null = null;
  private node: TreeNode | null = null;
  /** Whether the node was chosen: it stays until another one is. */
  private isChosen = false;
  /** The names of the actions that lead to the chosen node. */
  private branch: string[] = [];
  private episode: Episode | null = null;
  private overlay: Overlay = { hasTiles: false, background: null };
  private asksNovelty = false;
  private novelty: Novel | null = null;
  private clip: Clip | null = null;

  constructor(send: Send) {
    this.inquiries = {
      screen: new Inquiry("screen", send),
      branch: new Inquiry("branch", send),
      novelty: new Inquiry("novelty", send),
    };
    this.clear();
  }

  begin(episode: Episode): void {
    this.episode = episode;
    this.screens.clear();
    this.forgetInquiries();
    this.clear();
  }

  forgetInquiries(): void {
    Object.values(this.inquiries).forEach((inquiry) => {
      inquiry.forget();
    });
  }

  clear(): void {
    this.node = this.clip = this.novelty = null;
    this.isChosen = false;
    this.caption.textContent = "";
    this.screen.clear();
    this.drawOverlay();
    this.info.replaceChildren(make("p", "hint", HINT));
  }

  /** Show a node, unless one was chosen. */
  look(node: TreeNode): void {
    if (!this.isChosen) {
      this.show(node);
    }
  }

  /** Show a node and play the branch that leads to it. */
  choose(node: TreeNode): void {
    this.isChosen = true;
    this.clip = null;
    this.caption.textContent = "";
    this.branch = node.path().slice(1).map(({ row }) => this.episode?.action_names[row.action] ?? "?");
    this.show(node);
    this.inquiries.branch.ask(node.row.id);
  }

  /** The tree has new values. */
  refresh(tree: Tree): void {
    this.tree = tree;
    this.node = tree.nodes.get(this.node?.row.id ?? -1) ?? this.node;
    this.describe();
  }

  setOverlay(overlay: Overlay): void {
    this.overlay = overlay;
    this.drawOverlay();
  }

  setNovelty(isOn: boolean): void {
    this.asksNovelty = isOn;
    this.novelty = null;
    this.drawOverlay();
    this.askNovelty();
    this.describe();
  }

  receiveScreen(request: number, runs: Uint8Array): void {
    const id = this.inquiries.screen.settle(request);
    if (id === null) {
      return;
    }
    this.screens.set(id, runs);
    for (const oldest of this.screens.keys()) {
      if (this.screens.size <= CACHED_SCREENS) {
        break;
      }
      this.screens.delete(oldest);
    }
    if (id === this.node?.row.id && !this.clip) {
      this.screen.draw(runs);
    }
  }

  receiveClip(request: number, framesPerAction: number, frames: Uint8Array[]): void {
    const id = this.inquiries.branch.settle(request);
    if (this.isChosen && id !== null && id === this.node?.row.id && frames.length > 0) {
      this.clip = new Clip(frames, framesPerAction);
    }
  }

  receiveNovelty(novelty: Novel): void {
    const id = this.inquiries.novelty.settle(novelty.request);
    if (this.asksNovelty && id !== null && id === this.node?.row.id) {
      this.novelty = novelty;
      this.describe();
      this.drawOverlay();
    }
  }

  tick(now: number): void {
    const index = this.clip?.indexAt(now) ?? -1;
    const runs = this.clip?.frames[index];
    if (this.clip && runs && index !== this.clip.drawn) {
      this.screen.draw(runs);
      this.clip.drawn = index;
      this.showStep(this.clip.actionAt(index));
    }
  }

  private show(node: TreeNode): void {
    this.node = node;
    this.novelty = null;
    this.drawOverlay();
    this.describe();
    this.askNovelty();
    const screen = this.screens.get(node.row.id);
    if (screen) {
      this.screen.draw(screen);
    } else {
      this.inquiries.screen.ask(node.row.id);
    }
  }

  /** Say which action of the branch is being played. */
  private showStep(action: number): void {
    const step = Math.min(action, this.branch.length - 1);
    this.caption.textContent = step < 0 ? "" : `${step + 1} of ${this.branch.length}: ${this.branch[step] ?? ""}`;
  }

  private drawOverlay(): void {
    this.screen.drawOverlay(this.overlay, this.novelty);
  }

  private askNovelty(): void {
    if (this.asksNovelty && this.node && this.episode?.has_tiles) {
      this.inquiries.novelty.ask(this.node.row.id);
    }
  }

  private describe(): void {
    const { node, episode } = this;
    if (!node || !episode) {
      return;
    }
    const { row } = node;
    const action = node.parent ? (episode.action_names[row.action] ?? "?") : "now";
    const list = make("dl", "facts");
    const add = (name: string, text: string): void => {
      list.append(make("dt", "", name), make("dd", "", text));
    };
    add("depth", node.depth === 1 ? "1 action ahead" : `${node.depth} actions ahead`);
    if (node.parent) {
      add("reward", row.hasLostLife ? "a life is lost" : formatValue(row.reward, episode));
      add("case", describeCase(row));
    }
    // What is ahead of the root is what its best branch is worth; what led to it is past.
    const worth = node.parent ? node.row : (this.tree?.bestBranch()[0]?.row ?? NOTHING_FOUND);
    add("value", formatWorth(worth, episode));
    add("below", row.isSolved ? "solved: all of it has been seen" : `open, ${node.height - 1} deep`);
    this.info.replaceChildren(make("h3", "", action), list);
    if (this.novelty) {
      this.info.append(...describeNovelty(this.novelty));
    }
  }
}

function describeCase(row: Row): string {
  const number = row.isTwin ? Case.TWIN : row.case;
  const isEnd = ENDING_CASES.includes(number);
  return formatCase(number) + (row.isRepeat ? ": no effect, repeated" : "") + (isEnd ? ": the branch ends" : "") + (row.isKept ? " (kept)" : "");
}
