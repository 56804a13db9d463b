/** The viewer: brings together the connection, the views and the controls. */

import { Connection, type ConnectionState } from "./connection";
import { Controls } from "./controls";
import type { BinaryMessage } from "./decode";
import { byId } from "./dom";
import { chosenAction } from "./messages";
import type { DecisionRecord, Episode, PageMessage, Refusal, ServerMessage, Status } from "./messages";
import { NodePanel } from "./node_panel";
import { Overlays } from "./overlays";
import { savePicture } from "./picture";
import { Player } from "./player";
import { ScoreView } from "./score_view";
import { ScreenView } from "./screen_view";
import { clearThoughts, showActions, showDecision, showPlayed } from "./thoughts";
import { Tree } from "./tree";
import { TreeView } from "./tree_view";

const KEPT_FRAME_TIMES = 1200;
const MESSAGE_MS = 6000;

/** What tests and measurements read. */
interface Measures {
  drawMilliseconds: number;
  /** When the last frames of the game were drawn, the oldest first. */
  frameTimes: number[];
  nodes: number;
}

declare global {
  interface Window {
    pixelplan: Measures;
  }
}

class Viewer {
  readonly connection = new Connection({
    state: (state) => {
      this.showConnection(state);
    },
    text: (message) => {
      this.receive(message);
    },
    binary: (message) => {
      this.receiveBinary(message);
    },
  });
  private readonly send = (message: PageMessage): void => {
    this.connection.send(message);
  };
  private readonly measures: Measures = { drawMilliseconds: 0, frameTimes: [], nodes: 0 };
  private readonly screenCanvas = byId("screen", HTMLCanvasElement);
  private readonly treeCanvas = byId("tree", HTMLCanvasElement);
  private readonly screen = new ScreenView(this.screenCanvas);
  private readonly controls = new Controls(this.send);
  private readonly score = new ScoreView();
  private readonly nodePanel = new NodePanel(this.send);
  private readonly overlays = new Overlays(this.send, this.screen, this.nodePanel);
  private readonly treeView = new TreeView(this.treeCanvas, {
    look: (node) => {
      this.nodePanel.look(node);
    },
    choose: (node) => {
      if (node) {
        this.nodePanel.choose(node);
      } else {
        this.nodePanel.clear();
      }
    },
  });
  private readonly player = new Player(
    this.send,
    new Map([
      ["p", this.controls.togglePlay],
      ["n", this.controls.makeStep],
      ["t", this.controls.toggleControl],
      ["o", this.overlays.toggle],
      ["?", showHelp],
    ]),
  );
  private episode: Episode | null = null;
  private status: Status | null = null;
  private decision: DecisionRecord | null = null;
  private tree = new Tree(-1);
  private hasNewTree = false;
  private newFrame: Uint8Array | null = null;
  private messageTimer = 0;

  constructor() {
    window.pixelplan = this.measures;
    byId("picture", HTMLButtonElement).addEventListener("click", () => {
      savePicture(this.screenCanvas, this.treeCanvas, `pixelplan-${this.episode?.game ?? ""}-${this.tree.decision}`);
    });
    byId("show-help", HTMLButtonElement).addEventListener("click", showHelp);
    requestAnimationFrame(this.tick);
  }

  /** Draw what is new. Of the frames that came since the last tick only the newest is shown. */
  private readonly tick = (now: number): void => {
    if (this.newFrame) {
      this.screen.draw(this.newFrame);
      this.newFrame = null;
      this.measures.frameTimes.push(performance.now());
      if (this.measures.frameTimes.length > KEPT_FRAME_TIMES) {
        this.measures.frameTimes.shift();
      }
    }
    if (this.hasNewTree && this.episode) {
      this.hasNewTree = false;
      const decided = this.shownDecision();
      showActions(this.episode, this.tree, decided && chosenAction(decided));
      if (decided) {
        this.nodePanel.refresh(this.tree);
      }
    }
    this.treeView.tick(now);
    this.nodePanel.tick(now);
    this.score.tick();
    this.measures.drawMilliseconds = this.treeView.drawMilliseconds;
    this.measures.nodes = this.tree.nodes.size;
    requestAnimationFrame(this.tick);
  };

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        this.controls.welcome(message);
        break;
      case "episode":
        this.begin(message);
        break;
      case "history":
        this.score.setHistory(message.frames, message.scores);
        break;
      case "decision":
        this.receiveDecision(message);
        break;
      case "status":
        this.receiveStatus(message);
        break;
      case "novelty":
        this.nodePanel.receiveNovelty(message);
        break;
      case "error":
        this.receiveRefusal(message);
    }
  }

  /** What was only pointed at may be gone by the time that the server is asked: nothing to complain about. */
  private receiveRefusal({ message, ...refusal }: Refusal): void {
    const request = refusal.request ?? -1;
    const { screen, novelty, branch } = this.nodePanel.inquiries;
    const subjects = [screen, novelty, this.overlays.inquiry].map((inquiry) => inquiry.settle(request));
    branch.settle(request);
    if (subjects.every((subject) => subject === null)) {
      this.say(message);
    }
  }

  private receiveBinary(message: BinaryMessage): void {
    switch (message.kind) {
      case "frame":
        this.newFrame = message.runs;
        break;
      case "tree":
        this.showTree(new Tree(message.decision, message.rows));
        this.tree.branch = message.branch;
        break;
      case "growth":
        if (message.decision === this.tree.decision) {
          this.tree.add(message.rows);
          this.tree.branch = message.branch;
          this.changeTree();
        }
        break;
      case "screen":
        this.nodePanel.receiveScreen(message.request, message.runs);
        break;
      case "clip":
        this.nodePanel.receiveClip(message.request, message.framesPerAction, message.frames);
        break;
      case "background":
        this.overlays.receiveBackground(message.request, message.runs);
    }
  }

  private begin(episode: Episode): void {
    this.episode = episode;
    this.decision = null;
    this.newFrame = null;
    this.screen.clear();
    clearThoughts();
    this.controls.begin(episode);
    this.nodePanel.begin(episode);
    this.overlays.begin();
    this.score.begin(episode.human, episode.paper);
    this.showTree(new Tree(-1));
  }

  private showTree(tree: Tree): void {
    this.tree = tree;
    this.treeView.show(tree);
    this.changeTree();
    this.overlays.setDecision(tree.decision);
  }

  private changeTree(): void {
    this.hasNewTree = true;
    this.treeView.change();
  }

  /** The decision that the shown tree has led to, once it is made. */
  private shownDecision(): DecisionRecord | null {
    return this.decision?.decision === this.tree.decision ? this.decision : null;
  }

  private receiveDecision(decision: DecisionRecord): void {
    this.decision = decision;
    if (decision.decision === this.tree.decision) {
      this.tree.branch = decision.branch;
    }
    this.score.add(decision.frames, decision.score);
    if (this.episode) {
      showDecision(this.status ?? this.episode, decision);
      showPlayed(this.episode, decision, this.status?.controlled ?? false);
    }
    this.changeTree();
  }

  private receiveStatus(status: Status): void {
    if (status.controlled && !this.status?.controlled) {
      this.screenCanvas.focus();
    }
    if (status.message !== null && status.message !== this.status?.message) {
      this.say(status.message);
    }
    this.status = status;
    byId("bold", HTMLElement).hidden = !status.bold;
    this.player.setPlaying(status.controlled);
    this.controls.update(status);
    this.score.setPosition(status.frames);
  }

  private showConnection(state: ConnectionState): void {
    const words = { connecting: "connecting", open: "connected", closed: "not connected, trying again" };
    const element = byId("connection", HTMLElement);
    element.textContent = words[state];
    element.className = state;
    if (state === "closed") {
      this.overlays.inquiry.forget();
      this.nodePanel.forgetInquiries();
    }
  }

  private say(text: string): void {
    const element = byId("message", HTMLElement);
    element.textContent = text;
    window.clearTimeout(this.messageTimer);
    this.messageTimer = window.setTimeout(() => {
      element.textContent = "";
    }, MESSAGE_MS);
  }
}

function showHelp(): void {
  byId("help", HTMLDialogElement).showModal();
}

new Viewer().connection.open();
