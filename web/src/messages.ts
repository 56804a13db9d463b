/** The messages between page and server; all of it JSON, but for what decode.ts reads. */

import type { BudgetWish, DecisionRecord, Episode, Novel, PageMessage, Status } from "./generated";

export type { DecisionRecord, Episode, Hello, Novel, PageMessage, Refusal, ServerMessage, Status } from "./generated";

export type BudgetChoice = Required<Omit<BudgetWish, "type">>;

/** A feature of two tiles: offset in columns and rows, and the two colours. */
export type Pair = Novel["space"][number];

export type Question = "screen" | "branch" | "novelty" | "background";

/** What a search that is averse to risk makes of a lost point, and of a lost life; 0: it is not. */
export type Risk = Pick<Episode, "loss_cost" | "death_cost">;

export type Budget = Pick<Status, "budget_seconds" | "calls">;

export type Send = (message: PageMessage) => void;

/** The action that the planner has decided; another one is played where a human plays, or where it was late. */
export function chosenAction({ branch, action }: DecisionRecord): number {
  return branch[0] ?? action;
}
