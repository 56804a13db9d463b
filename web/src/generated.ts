/** Written by src/pixelplan/viewer/typescript.py: `make web` writes it anew. */

export const NO_PARENT = 4294967295;
export const NOT_VISITED = 255;
export const ROW_BYTES = 28;

export const Case = {
  UNTESTED: 0,
  NOVEL: 1,
  NOT_NOVEL: 2,
  NO_LONGER_NOVEL: 3,
  STILL_NOVEL: 4,
  DEAD_END: 5,
  TOO_DEEP: 6,
  TWIN: 7,
  FOLLOWED: 8,
} as const;

export const Flag = {
  SOLVED: 1,
  LIFE_LOST: 2,
  KEPT: 4,
  REPEAT: 8,
  TWIN: 16,
  END: 32,
} as const;

export const Kind = {
  FRAME: 1,
  TREE: 2,
  GROWTH: 3,
  SCREEN: 4,
  CLIP: 5,
  BACKGROUND: 6,
} as const;

export const Offset = {
  id: 0,
  parent: 4,
  reward: 8,
  assured: 12,
  value: 16,
  action: 24,
  case: 25,
  flags: 26,
  unused: 27,
} as const;

/** They count the cases of a decision. */
export const CASE_FIELDS = ["untested", "case_1", "case_2", "case_3", "case_4", "dead_ends", "too_deep", "twins", "followed"] as const;

export interface Hello {
  type: "hello";
  mode: "live" | "replay";
  games: string[];
  presets: string[];
  runs: string[];
  version: string;
}

export interface Episode {
  type: "episode";
  game: string;
  preset: string | null;
  planner: string;
  features: string;
  frameskip: number;
  loss_cost: number;
  death_cost: number;
  seconds: number | null;
  calls: number | null;
  budget_seconds: number | null;
  workers: number;
  realtime: boolean;
  seed: number;
  run: string | null;
  action_names: string[];
  actions: number[];
  human: number | null;
  paper: number | null;
  random: number | null;
  can_pause: boolean;
  can_control: boolean;
  can_seek: boolean;
  can_restart: boolean;
  has_tiles: boolean;
  decisions: number | null;
}

export interface History {
  type: "history";
  frames: number[];
  scores: number[];
}

export interface DecisionRecord {
  type: "decision";
  decision: number;
  action: number;
  value: number;
  reward: number;
  score: number;
  frames: number;
  lives: number;
  seconds: number;
  simulator_seconds: number;
  simulator_calls: number;
  nodes: number;
  new_nodes: number;
  rollouts: number;
  untested: number;
  case_1: number;
  case_2: number;
  case_3: number;
  case_4: number;
  dead_ends: number;
  depth: number;
  ending: string;
  dropped_tree: boolean;
  branch: number[];
  cpu_seconds: number;
  too_deep: number;
  twins: number;
  followed: number;
  bold: boolean;
  late: boolean;
  mispredicted: boolean;
  replaced_workers: number;
}

export interface Status {
  type: "status";
  playing: boolean;
  speed: number;
  controlled: boolean;
  decision: number;
  bold: boolean;
  score: number;
  lives: number;
  frames: number;
  is_over: boolean;
  message: string | null;
  budget_seconds: number | null;
  calls: number | null;
}

export interface NovelCounts {
  basic: number;
  space: number;
  time: number;
}

export interface Novel {
  type: "novelty";
  request: number;
  node: number;
  judged: boolean;
  count: number;
  counts: NovelCounts;
  basic: [number, number, number][];
  space: [number, number, number, number][];
  time: [number, number, number, number][];
}

export interface Refusal {
  type: "error";
  message: string;
  request?: number | null;
}

export type ServerMessage =
  | Hello
  | Episode
  | History
  | DecisionRecord
  | Status
  | Novel
  | Refusal;

export interface PlayWish {
  type: "play";
}

export interface PauseWish {
  type: "pause";
}

export interface StepWish {
  type: "step";
}

export interface SpeedWish {
  type: "speed";
  speed: number;
}

export interface StartWish {
  type: "start";
  game: string;
  preset: "best" | "iw" | "ra" | "ras" | "rollout";
  seconds?: number | null;
  calls?: number | null;
}

export interface BudgetWish {
  type: "budget";
  seconds?: number | null;
  calls?: number | null;
}

export interface ControlWish {
  type: "control";
  on: boolean;
}

export interface KeysWish {
  type: "keys";
  action: number;
}

export interface ScreenWish {
  type: "screen";
  request: number;
  node: number;
}

export interface BranchWish {
  type: "branch";
  request: number;
  node: number;
}

export interface NoveltyWish {
  type: "novelty";
  request: number;
  node: number;
}

export interface BackgroundWish {
  type: "background";
  request: number;
}

export interface SeekWish {
  type: "seek";
  decision: number;
}

export interface OpenWish {
  type: "open";
  run: string;
}

export type PageMessage =
  | PlayWish
  | PauseWish
  | StepWish
  | SpeedWish
  | StartWish
  | BudgetWish
  | ControlWish
  | KeysWish
  | ScreenWish
  | BranchWish
  | NoveltyWish
  | BackgroundWish
  | SeekWish
  | OpenWish;
