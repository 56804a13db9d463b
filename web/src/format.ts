/** Numbers in words. */

/** A lost life counts so much in the search that no score makes up for it. */
const DEATH_VALUE = -50_000;

export function formatNumber(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });
}

export function formatValue(value: number): string {
  return value < DEATH_VALUE ? "death" : formatNumber(value);
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
