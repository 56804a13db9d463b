/** A picture of the game and the tree, side by side, to keep. */

import { brush, colour } from "./dom";

const HEIGHT = 840;
const GAME_WIDTH = (HEIGHT * 4) / 3;

export function savePicture(game: HTMLCanvasElement, tree: HTMLCanvasElement, name: string): void {
  const canvas = document.createElement("canvas");
  const treeWidth = Math.round((HEIGHT * tree.width) / Math.max(1, tree.height));
  canvas.width = GAME_WIDTH + treeWidth;
  canvas.height = HEIGHT;
  const context = brush(canvas);
  context.fillStyle = colour("surface");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(tree, GAME_WIDTH, 0, treeWidth, HEIGHT);
  context.imageSmoothingEnabled = false;
  context.drawImage(game, 0, 0, GAME_WIDTH, HEIGHT);
  canvas.toBlob((blob) => {
    if (blob) {
      download(blob, `${name}.png`);
    }
  });
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
