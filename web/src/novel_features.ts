/** The features that were new in a node, in words and colours. */

import { make } from "./dom";
import { formatOffset } from "./format";
import type { Novel, Pair } from "./messages";
import { cssColour } from "./palette";

const LISTED_PAIRS = 2;

export function describeNovelty(novelty: Novel): HTMLElement[] {
  if (!novelty.judged) {
    return [make("p", "hint", "Its screen was not judged in this decision.")];
  }
  const { basic, space, time } = novelty.counts;
  const words = `New here: ${basic} coloured ${basic === 1 ? "tile" : "tiles"} (outlined), ${space} pairs of tiles, ${time} pairs with the screen before.`;
  const pairs = [...novelty.space.slice(0, LISTED_PAIRS), ...novelty.time.slice(0, LISTED_PAIRS)];
  const hasPast = (index: number): boolean => index >= Math.min(LISTED_PAIRS, novelty.space.length);
  return [make("p", "", words), make("ul", "pairs", ...pairs.map((pair, index) => describePair(pair, hasPast(index))))];
}

/** A colour, and where it is from the other one, or from where the other one was. */
function describePair([columns, rows, colour, other]: Pair, hasPast: boolean): HTMLElement {
  const words = `${formatOffset(columns, rows)} ${hasPast ? "where there was " : ""}`;
  return make("li", "", makeChip(colour), words, makeChip(other));
}

function makeChip(colour: number): HTMLElement {
  const chip = make("span", "chip");
  chip.style.backgroundColor = cssColour(colour);
  chip.title = `colour ${colour}`;
  return chip;
}
