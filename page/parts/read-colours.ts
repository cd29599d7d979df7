import type { Colours } from "../drawing/paint-bucket.ts";

/** The colours of tokens.css in effect for this reader: light, dark, print, or forced by the system. */
export function readColours(element: Element): Colours {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ground: read("sheet"),
    ink: read("ink"),
    fresh: read("new"),
    freshSoft: read("new-soft"),
    old: read("old"),
    oldSoft: read("old-soft"),
    moving: read("moving"),
    movingSoft: read("moving-soft"),
    failed: read("failed"),
  };
}
