export const SCREEN_COLOURS = new Uint32Array(256).map((_, i) => (0xff000000 | (i * 65793)) >>> 0);
