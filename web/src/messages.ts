/** What the server says and what the page says; all of it JSON, but for what decode.ts reads. */

import type { Risk } from "./format";

export interface Hello {
  type: "hello";
  mode: "live" | "replay";
  games: string[];
  presets: string[];
  runs: string[];
  version: string;
}

export interface Episode extends Risk {
  type: "episode";
  game: string;
  preset: string | null;
  planner: string;
  features: string;
  frameskip: number;
  discount: number;
  judges: boolean;
  cautious: boolean;
  max_depth: number;
  wary: boolean;
  seconds: number | null;
  calls: number | null;
  budget_seconds: number | null;
  workers: number;
  realtime: boolean;
  seed: number;
  run: string | null;
  action_names: string[];
  /** The numbers of the actions that the planner may use. */
  actions: number[];
  human: number | null;
  paper: number | null;
  random: number | null;
  can_pause: boolean;
  can_control: boolean;
  can_seek: boolean;
  can_restart: boolean;
  has_tiles: boolean;
  /** In a replay: how many there are. */
  decisions: number | null;
}

export interface History {
  type: "history";
  frames: number[];
  scores: number[];
}

export interface Decision {
  type: "decision";
  decision: number;
  /** What was played; `chosen` is what the planner would play. */
  action: number;
  chosen: number;
  /** What the planner would play, and then, as far as it has looked. */
  branch: number[];
  value: number;
  seconds: number;
  calls: number;
  nodes: number;
  new_nodes: number;
  rollouts: number;
  depth: number;
  /** How often each case occurred, by its number. */
  cases: number[];
  ending: string;
  reward: number;
  score: number;
  frames: number;
  lives: number;
  late: boolean;
}

export interface Status {
  type: "status";
  playing: boolean;
  speed: number;
  controlled: boolean;
  /** The decision whose tree is shown. */
  decision: number;
  /** Whether the risk of a lost life is taken in it. */
  bold: boolean;
  score: number;
  lives: number;
  frames: number;
  is_over: boolean;
  message: string | null;
  /** Live: the budget that is in force. */
  budget_seconds?: number | null;
  calls?: number | null;
}

/** A feature of two tiles: offset in columns and rows, and the two colours. */
export type Pair = [number, number, number, number];

export interface Novelty {
  type: "novelty";
  request: number;
  node: number;
  judged: boolean;
  count: number;
  basic: [column: number, row: number, colour: number][];
  space: Pair[];
  time: Pair[];
  counts: { basic: number; space: number; time: number };
}

export interface Refusal {
  type: "error";
  message: string;
  request?: number;
}

export type ServerMessage = Hello | Episode | History | Decision | Status | Novelty | Refusal;

export interface BudgetChoice {
  seconds: number | null;
  calls: number | null;
}

export type Question = "screen" | "branch" | "novelty" | "background";

export type PageMessage =
  | { type: "play" | "pause" | "step" }
  | { type: "speed"; speed: number }
  | ({ type: "start"; game: string; preset: string } & BudgetChoice)
  | ({ type: "budget" } & BudgetChoice)
  | { type: "control"; on: boolean }
  | { type: "keys"; action: number }
  | { type: Question; request: number; node?: number }
  | { type: "seek"; decision: number }
  | { type: "open"; run: string };

export type Send = (message: PageMessage) => void;
