/** Buttons and fields: what the page may ask the server to do. */

import { serverAddress } from "./connection";
import { byId } from "./dom";
import { formatGame, formatNumber } from "./format";
import type { StartWish } from "./generated";
import type { BudgetChoice, Episode, Hello, Send, Status } from "./messages";

const RUNS_ON = "A game in real time does not wait.";
const NO_SECONDS = "In real time a decision has as long as the action before it is played.";
const NOT_HERE = "Not possible in a replay.";
const NOT_NOW = "Not possible in this episode.";
const NO_TILES = "This episode's features have no tiles.";

export class Controls {
  private readonly play = byId("play", HTMLButtonElement);
  private readonly step = byId("step", HTMLButtonElement);
  private readonly speed = byId("speed", HTMLSelectElement);
  private readonly control = byId("control", HTMLButtonElement);
  private readonly scrubber = byId("scrubber", HTMLInputElement);
  private readonly position = byId("position", HTMLElement);
  private readonly run = byId("run", HTMLSelectElement);
  private readonly form = byId("settings", HTMLFormElement);
  private readonly game = byId("game", HTMLSelectElement);
  private readonly preset = byId("preset", HTMLSelectElement);
  private readonly seconds = byId("seconds", HTMLInputElement);
  private readonly calls = byId("calls", HTMLInputElement);
  private readonly start = byId("start", HTMLButtonElement);
  private status: Status | null = null;

  constructor(private readonly send: Send) {
    byId("video", HTMLAnchorElement).href = serverAddress("video.mp4").href;
    this.play.addEventListener("click", this.togglePlay);
    this.step.addEventListener("click", this.makeStep);
    this.control.addEventListener("click", this.toggleControl);
    this.speed.addEventListener("change", () => {
      send({ type: "speed", speed: Number(this.speed.value) });
      // A letter is a shortcut again, and chooses no other speed.
      this.speed.blur();
    });
    this.scrubber.addEventListener("input", () => {
      send({ type: "seek", decision: this.scrubber.valueAsNumber });
    });
    this.run.addEventListener("change", () => {
      send({ type: "open", run: this.run.value });
    });
    for (const field of [this.seconds, this.calls]) {
      field.addEventListener("change", () => {
        const budget = this.budget();
        if (this.hasBudget() && (budget.seconds ?? budget.calls) !== null) {
          send({ type: "budget", ...budget });
        }
      });
    }
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.hasBudget()) {
        send({ type: "start", game: this.game.value, preset: this.preset.value as StartWish["preset"], ...this.budget() });
      }
    });
  }

  readonly togglePlay = (): void => {
    if (!this.play.disabled) {
      this.send({ type: this.status?.playing ? "pause" : "play" });
    }
  };

  readonly makeStep = (): void => {
    if (!this.step.disabled) {
      this.send({ type: "step" });
    }
  };

  readonly toggleControl = (): void => {
    if (!this.control.disabled) {
      this.send({ type: "control", on: !this.status?.controlled });
    }
  };

  welcome(hello: Hello): void {
    fillOptions(this.game, hello.games);
    fillOptions(this.preset, hello.presets);
    fillOptions(this.run, hello.runs);
    const isReplay = hello.mode === "replay";
    this.form.hidden = isReplay;
    this.control.hidden = isReplay;
    byId("replay", HTMLElement).hidden = !isReplay;
    byId("version", HTMLElement).textContent = hello.version;
  }

  begin(episode: Episode): void {
    const budget = episode.realtime ? "real time" : "";
    const words = [formatGame(episode.game), episode.preset ?? episode.planner, budget, `seed ${episode.seed}`];
    byId("episode", HTMLElement).textContent = words.filter(Boolean).join(" · ");
    document.title = `${formatGame(episode.game)} · pixelplan`;
    this.game.value = episode.game;
    this.preset.value = episode.preset ?? "";
    this.seconds.value = String(episode.seconds ?? "");
    this.calls.value = String(episode.calls ?? "");
    this.run.value = episode.run ?? "";
    this.scrubber.max = String(Math.max(0, (episode.decisions ?? 1) - 1));
    for (const element of [this.play, this.step, this.speed]) {
      allow(element, episode.can_pause, episode.realtime ? RUNS_ON : NOT_NOW);
    }
    allow(this.control, episode.can_control, episode.realtime ? RUNS_ON : NOT_NOW);
    allow(this.seconds, !episode.realtime, NO_SECONDS);
    allow(this.start, episode.can_restart, NOT_NOW);
    allow(this.scrubber, episode.can_seek, NOT_HERE);
    for (const id of ["overlay-tiles", "overlay-novelty"]) {
      allow(byId(id, HTMLInputElement), episode.has_tiles, NO_TILES);
    }
  }

  update(status: Status): void {
    this.status = status;
    this.play.textContent = status.playing ? "Pause" : "Play";
    this.control.textContent = status.controlled ? "Hand back" : "Take the controls";
    this.control.setAttribute("aria-pressed", String(status.controlled));
    const speeds = [...this.speed.options].map(({ value }) => Number(value));
    const distances = speeds.map((speed) => Math.abs(speed - status.speed));
    this.speed.selectedIndex = distances.indexOf(Math.min(...distances));
    if (!this.scrubber.matches(":active")) {
      this.scrubber.value = String(status.decision);
    }
    this.position.textContent = `decision ${formatNumber(status.decision + 1)} of ${formatNumber(Number(this.scrubber.max) + 1)}`;
    byId("score", HTMLElement).textContent = formatNumber(status.score);
    byId("lives", HTMLElement).textContent = String(status.lives);
    byId("time", HTMLElement).textContent = `${formatNumber(Math.floor(status.frames / 60))} s`;
    byId("over", HTMLElement).hidden = !status.is_over;
  }

  private budget(): BudgetChoice {
    const read = (field: HTMLInputElement): number | null => (field.value === "" ? null : field.valueAsNumber);
    return { seconds: read(this.seconds), calls: read(this.calls) };
  }

  private hasBudget(): boolean {
    const isMissing = !this.seconds.disabled && this.seconds.value === "" && this.calls.value === "";
    this.seconds.setCustomValidity(isMissing ? "Give seconds, calls or both." : "");
    return this.form.reportValidity();
  }
}

function fillOptions(select: HTMLSelectElement, names: string[]): void {
  select.replaceChildren(...names.map((name) => new Option(name)));
}

/** Let an element be used, or say in its title why not. */
function allow(element: HTMLButtonElement | HTMLSelectElement | HTMLInputElement, isAllowed: boolean, reason: string): void {
  element.disabled = !isAllowed;
  element.title = isAllowed ? "" : reason;
}
