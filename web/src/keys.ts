/** The keys of a human player, as one of ALE's 18 actions. */

/** By horizontal and vertical direction (-1, 0, 1 each, rows from up to down), without and with fire. */
const ACTIONS = [
  [7, 2, 6],
  [4, 0, 3],
  [9, 5, 8],
];
const FIRE_ACTIONS = [
  [15, 10, 14],
  [12, 1, 11],
  [17, 13, 16],
];

const MEANINGS: Record<string, "up" | "down" | "left" | "right" | "fire"> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  KeyW: "up",
  KeyS: "down",
  KeyA: "left",
  KeyD: "right",
  Space: "fire",
};

export class HeldKeys {
  private readonly held = new Set<string>();

  /** Whether a key, by its `code`, plays. */
  static plays(code: string): boolean {
    return code in MEANINGS;
  }

  press(code: string): void {
    this.held.add(code);
  }

  release(code: string): void {
    this.held.delete(code);
  }

  releaseAll(): void {
    this.held.clear();
  }

  action(): number {
    const meanings = new Set([...this.held].map((code) => MEANINGS[code]));
    const direction = (more: "right" | "down", less: "left" | "up"): number =>
      Number(meanings.has(more)) - Number(meanings.has(less));
    const table = meanings.has("fire") ? FIRE_ACTIONS : ACTIONS;
    return table[direction("down", "up") + 1]?.[direction("right", "left") + 1] ?? 0;
  }
}
