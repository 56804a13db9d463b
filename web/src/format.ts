/** Numbers in words. */

/** To a search that is averse to risk a lost point costs 50,000, and a lost life 500,000. */
const LOSS_VALUE = -40_000;
const DEATH_VALUE = -400_000;

export function formatNumber(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });
}

export function formatValue(value: number): string {
  if (value < DEATH_VALUE) {
    return "death";
  }
  return value < LOSS_VALUE ? "loss" : formatNumber(value);
}

const CASE_NAMES = ["passed", "novel", "nothing new", "no longer novel", "still novel", "dead end"];

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
