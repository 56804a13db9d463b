/** Elements of the page. */

export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) {
    throw new Error(`the page has no ${kind.name} #${id}`);
  }
  return found;
}

export function make(tag: string, className: string, ...contents: (string | Node)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...contents);
  return element;
}

export function brush(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (!context) {
    throw new Error("this browser cannot draw");
  }
  return context;
}

/** Fit a canvas to its place on the page, in device pixels; return its size in CSS pixels. */
export function fit(canvas: HTMLCanvasElement): { width: number; height: number } {
  const { clientWidth: width, clientHeight: height } = canvas;
  const wide = Math.round(width * devicePixelRatio);
  const high = Math.round(height * devicePixelRatio);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  brush(canvas).setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  return { width, height };
}

/** The page's colours by name, as app.css has them for the light or the dark scheme. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export const darkScheme = matchMedia("(prefers-color-scheme: dark)");
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
