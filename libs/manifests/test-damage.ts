import { type Draw, pick } from "./test-manifests.ts";

const noise = [
  "-",
  ":",
  "#",
  "\t",
  " ",
  "{",
  "}",
  "[",
  "]",
  "'",
  '"',
  "&",
  "*",
  "|",
  ">",
  "\n",
  ",",
  "?",
  "%",
  "\\",
  "a",
  "- ",
  ": ",
  "  ",
  "---\n",
];

/** The text with a few wrong characters or lines. */
export function damage(text: string, draw: Draw): string {
  let damaged = text;
  for (let times = 1 + draw(3); times > 0; times--) {
    const at = draw(damaged.length + 1);
    const rest = pick(draw, [at, at + 1, at + 2, damaged.indexOf("\n", at) + 1]);
    damaged = damaged.slice(0, at) + pick(draw, ["", ...noise]) + damaged.slice(Math.max(rest, at));
  }
  return damaged;
}
