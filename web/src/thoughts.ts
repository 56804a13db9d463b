/** What the planner thinks: the action that is being played, what it cost, and the value of each next one. */

import { byId, make } from "./dom";
import { formatCase, formatNumber, formatWorth, LIKE_LOST_LIFE, LIKE_LOST_POINT } from "./format";
import { CASE_FIELDS } from "./generated";
import { chosenAction, type Budget, type DecisionRecord, type Episode } from "./messages";
import type { Tree, TreeNode } from "./tree";

const ENDINGS: Record<string, string> = {
  solved: "all was seen",
  seconds: "time was up",
  calls: "calls were used up",
  nodes: "the tree was full",
  idle: "rollouts found nothing to simulate",
};

const TEXT_CLASSES: Record<string, string> = {
  ...{ unsure: "unsure", untried: "untried", same: "same" },
  ...{ [LIKE_LOST_LIFE]: "lost", [LIKE_LOST_POINT]: "lost" },
};

/** Forget the episode before. */
export function clearThoughts(): void {
  for (const id of ["actions", "stats", "played"]) {
    byId(id, HTMLElement).replaceChildren();
  }
}

/** Show a bar for each action that is considered; the chosen one is marked, once there is one. */
export function showActions(episode: Episode, tree: Tree, chosen: number | null): void {
  const children = new Map(tree.root?.children.map((child) => [child.row.action, child]));
  const counted = (child: TreeNode | undefined): number => (child && !child.row.isTwin && child.row.assured === Infinity ? child.row.value : 0);
  const scale = Math.max(1e-9, ...[...children.values()].map(counted));
  const rows = episode.actions.map((action) => {
    const child = children.get(action);
    const bar = make("span", "bar");
    bar.style.width = `${Math.max(0, counted(child) / scale) * 100}%`;
    const text = child === undefined ? "untried" : child.row.isTwin ? "same" : formatWorth(child.row, episode);
    const row = make(
      "li",
      TEXT_CLASSES[text] ?? "",
      make("span", "name", episode.action_names[action] ?? "?"),
      make("span", "track", bar),
      make("span", "value", text),
    );
    if (action === chosen) {
      row.classList.add("chosen");
      row.setAttribute("aria-current", "true");
    }
    return row;
  });
  byId("actions-heading", HTMLElement).textContent = chosen === null ? "Considering next" : "Considered, and decided";
  byId("actions", HTMLElement).replaceChildren(...rows);
}

/** Show what the decision that is being played has cost. */
export function showDecision({ calls: maxCalls, budget_seconds: budget }: Budget, decision: DecisionRecord): void {
  const time = `${decision.seconds.toFixed(3)} s` + (budget === null ? "" : ` of ${budget} s`);
  const calls = formatNumber(decision.simulator_calls) + (maxCalls === null ? "" : ` of ${formatNumber(maxCalls)}`);
  const list = make("dl", "facts");
  const facts: [string, string | Node][] = [
    ["time", budget === null ? time : make("span", "", time, timeBar(decision.seconds / budget))],
    ["calls", calls],
    ["nodes", `${formatNumber(decision.nodes)}, ${formatNumber(decision.new_nodes)} of them new`],
    ["depth", `${decision.depth} actions`],
    ["ended as", ENDINGS[decision.ending] ?? decision.ending],
    ["rollouts", formatNumber(decision.rollouts)],
  ];
  for (const [name, value] of facts) {
    list.append(make("dt", "", name), make("dd", "", value));
  }
  byId("stats", HTMLElement).replaceChildren(list, ...cases(CASE_FIELDS.map((name) => decision[name])));
}

function timeBar(part: number): HTMLElement {
  const bar = make("span", part > 1.05 ? "bar over" : "bar");
  bar.style.width = `${Math.min(1, part) * 100}%`;
  return make("span", "track", bar);
}

/** How often each case occurred: a bar of parts, and the same in words. */
function cases(counts: number[]): HTMLElement[] {
  const stack = make("div", "stack");
  const words = make("ul", "cases");
  counts.forEach((count, number) => {
    const part = make("span", `case-${number}`);
    part.style.flexGrow = String(count);
    stack.append(part);
    const text = `${formatCase(number)} ${formatNumber(count)}`;
    words.append(make("li", "", make("span", `swatch case-${number}`), text));
  });
  return [stack, words];
}

/** Say what is being played, and what the planner would play if that is something else. */
export function showPlayed(episode: Episode, decision: DecisionRecord, isControlled: boolean): void {
  const name = (action: number): string => episode.action_names[action] ?? "?";
  const { action, late } = decision;
  const chosen = chosenAction(decision);
  const who = isControlled ? "You played" : "Playing now:";
  const other = isControlled ? `the planner would play ${name(chosen)}` : `chosen was ${name(chosen)}${late ? ", too late" : ""}`;
  byId("played", HTMLElement).textContent = `${who} ${name(action)}${action === chosen && !isControlled ? "" : `; ${other}`}.`;
}
