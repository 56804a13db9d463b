/** A screen of the game, pixel by pixel, and what is laid over it on a second canvas. */

import { SCREEN_HEIGHT, SCREEN_WIDTH, decodeRuns } from "./decode";
import { brush, make } from "./dom";
import type { Novel } from "./messages";
import { SCREEN_COLOURS } from "./palette";

const TILE_COLUMNS = 16;
const TILE_ROWS = 14;
/** Size of a tile on the overlay's canvas, which is finer than the screen. */
const TILE = 30;

export interface Overlay {
  hasTiles: boolean;
  /** 1 for each pixel of the background. */
  background: Uint8Array | null;
}

export class ScreenView {
  private readonly image = new ImageData(SCREEN_WIDTH, SCREEN_HEIGHT);
  private readonly pixels = new Uint32Array(this.image.data.buffer);
  private readonly overlay = make("canvas", "overlay") as HTMLCanvasElement;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.overlay.width = TILE_COLUMNS * TILE;
    this.overlay.height = TILE_ROWS * TILE;
    canvas.after(this.overlay);
  }

  draw(runs: Uint8Array): void {
    const screen = decodeRuns(runs);
    for (let index = 0; index < screen.length; index += 1) {
      this.pixels[index] = SCREEN_COLOURS[screen[index] ?? 0] ?? 0;
    }
    brush(this.canvas).putImageData(this.image, 0, 0);
  }

  clear(): void {
    brush(this.canvas).clearRect(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT);
  }

  drawOverlay({ hasTiles, background }: Overlay, novelty: Novel | null = null): void {
    const context = brush(this.overlay);
    context.clearRect(0, 0, this.overlay.width, this.overlay.height);
    if (background) {
      drawBackground(context, background);
    }
    if (hasTiles) {
      drawGrid(context);
    }
    if (novelty) {
      drawNovelTiles(context, novelty);
    }
  }
}

/** Dim the pixels of the background, every second one more. */
function drawBackground(context: CanvasRenderingContext2D, background: Uint8Array): void {
  const mask = new OffscreenCanvas(SCREEN_WIDTH, SCREEN_HEIGHT);
  const image = new ImageData(SCREEN_WIDTH, SCREEN_HEIGHT);
  const pixels = new Uint32Array(image.data.buffer);
  for (let index = 0; index < pixels.length; index += 1) {
    const isHatched = (index + Math.floor(index / SCREEN_WIDTH)) % 4 === 0;
    pixels[index] = background[index] === 0 ? 0 : isHatched ? 0x90706860 : 0xb0201810;
  }
  mask.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(mask, 0, 0, context.canvas.width, context.canvas.height);
}

function drawGrid(context: CanvasRenderingContext2D): void {
  context.beginPath();
  for (let column = 1; column < TILE_COLUMNS; column += 1) {
    context.moveTo(column * TILE, 0);
    context.lineTo(column * TILE, TILE_ROWS * TILE);
  }
  for (let row = 1; row < TILE_ROWS; row += 1) {
    context.moveTo(0, row * TILE);
    context.lineTo(TILE_COLUMNS * TILE, row * TILE);
  }
  context.lineWidth = 2;
  context.strokeStyle = "rgb(255 255 255 / 45%)";
  context.stroke();
}

function drawNovelTiles(context: CanvasRenderingContext2D, novelty: Novel): void {
  context.beginPath();
  for (const [column, row] of novelty.basic) {
    context.rect(column * TILE + 2, row * TILE + 2, TILE - 4, TILE - 4);
  }
  context.lineWidth = 6;
  context.strokeStyle = "#000000";
  context.stroke();
  context.lineWidth = 3;
  context.strokeStyle = "#f0e442";
  context.stroke();
}
