/** Numbers in words. */

import type { Row } from "./decode";
import type { Risk } from "./messages";

/** A value is compared with a price, less the rewards that may be collected before it is paid. */
const MOST = 0.8;
/** What is said of a value that is about the price of a lost life, or of a lost point. */
export const LIKE_LOST_LIFE = "like a lost life";
export const LIKE_LOST_POINT = "like a lost point";

export function formatNumber(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });
}

/** What a node promises, if there is a way on that is sure to end well; if not, whether that is known. */
export function formatWorth({ value, assured }: Pick<Row, "value" | "assured">, risk: Risk): string {
  return assured < Infinity && value >= 0 ? "unsure" : formatValue(value, risk);
}

export function formatValue(value: number, { loss_cost, death_cost }: Risk): string {
  if (Number.isNaN(value)) {
    return "unknown";
  }
  if (death_cost > 0 && value < -MOST * death_cost) {
    return LIKE_LOST_LIFE;
  }
  return loss_cost > 0 && value < -MOST * loss_cost ? LIKE_LOST_POINT : formatNumber(value);
}

const CASE_NAMES = [
  ...["passed", "novel", "nothing new", "no longer novel", "still novel"],
  ...["dead end", "as deep as it looks", "same as a sibling", "followed"],
];

export function formatCase(number: number): string {
  return CASE_NAMES[number] ?? "not visited in this decision";
}

/** Where a tile is, said in front of the other tile. */
export function formatOffset(columns: number, rows: number): string {
  const across = `${Math.abs(columns)} ${columns > 0 ? "right" : "left"}`;
  const down = `${Math.abs(rows)} ${rows > 0 ? "below" : "above"}`;
  if (columns === 0) {
    return rows === 0 ? "on" : down;
  }
  return rows === 0 ? `${across} of` : `${across}, ${down}`;
}

/** ms_pacman -> Ms Pacman */
export function formatGame(rom: string): string {
  return rom.replaceAll("_", " ").replace(/\b\w/g, (letter) => letter.toUpperCase());
}
