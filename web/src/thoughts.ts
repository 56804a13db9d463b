/** What the planner thinks: the value of each action it may play now, and what the last decision cost. */

import { byId, make } from "./dom";
import { formatCase, formatNumber, formatWorth } from "./format";
import type { Decision, Episode } from "./messages";
import type { Tree, TreeNode } from "./tree";

const ENDINGS: Record<string, string> = {
  solved: "all was seen",
  seconds: "time was up",
  calls: "calls were used up",
  nodes: "the tree was full",
};

/** Forget the episode before. */
export function clearThoughts(): void {
  for (const id of ["actions", "stats", "played"]) {
    byId(id, HTMLElement).replaceChildren();
  }
}

/** Show a bar for each action; the chosen one is marked. */
export function showActions(episode: Episode, tree: Tree, chosen: number | null): void {
  const children = new Map(tree.root?.children.map((child) => [child.row.action, child]));
  const counted = (child: TreeNode | undefined): number => (child && !child.row.isTwin && child.lasts === Infinity ? child.value : 0);
  const scale = Math.max(1e-9, ...[...children.values()].map(counted));
  const rows = episode.actions.map((action) => {
    const child = children.get(action);
    const bar = make("span", "bar");
    bar.style.width = `${Math.max(0, counted(child) / scale) * 100}%`;
    const text = child === undefined ? "untried" : child.row.isTwin ? "same" : formatWorth(child, episode);
    const row = make(
      "li",
      ["death", "loss", "unsure", "untried", "same"].includes(text) ? text : "",
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
  byId("actions", HTMLElement).replaceChildren(...rows);
}

export function showDecision({ calls: maxCalls, budget_seconds: budget }: Episode, decision: Decision): void {
  const time = `${decision.seconds.toFixed(3)} s` + (budget === null ? "" : ` of ${budget} s`);
  const calls = formatNumber(decision.calls) + (maxCalls === null ? "" : ` of ${formatNumber(maxCalls)}`);
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
  byId("stats", HTMLElement).replaceChildren(list, ...cases(decision.cases));
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

/** Say what was played, if the planner would have played something else. */
export function showPlayed(episode: Episode, decision: Decision, isControlled: boolean): void {
  const name = (action: number): string => episode.action_names[action] ?? "?";
  const played = byId("played", HTMLElement);
  if (isControlled) {
    played.textContent = `You played ${name(decision.action)}; the planner would play ${name(decision.chosen)}.`;
  } else if (decision.action !== decision.chosen) {
    played.textContent = `Played ${name(decision.action)}, chose ${name(decision.chosen)}${decision.late ? " too late" : ""}.`;
  } else {
    played.textContent = `Plays ${name(decision.action)}.`;
  }
}
