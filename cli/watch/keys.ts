import { lookUp } from "#libs/input";
/** Actions in the live picture. */
export type Key =
  | "leave"
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "top"
  | "bottom"
  | "failures"
  | "namespaces"
  | "keys"
  | "back";

const escape = "\u001B";

const ofLetters: ReadonlyMap<string, Key> = new Map<string, Key>([
  // In raw mode Ctrl-C and Ctrl-D are characters.
  ...["q", "Q", "\u0003", "\u0004"].map((letter) => [letter, "leave"] as const),
  ["k", "up"],
  ["j", "down"],
  [" ", "pageDown"],
  ["g", "top"],
  ["G", "bottom"],
  ["f", "failures"],
  ["n", "namespaces"],
  ["?", "keys"],
  [escape, "back"],
]);

/** Sequences after `ESC [` or `ESC O`. */
const ofSequences: Readonly<Record<string, Key>> = {
  A: "up",
  B: "down",
  F: "bottom",
  H: "top",
  "1~": "top",
  "4~": "bottom",
  "5~": "pageUp",
  "6~": "pageDown",
};

// oxlint-disable-next-line no-control-regex -- terminals' sequences begin with it
const typed = /\u001B[[O]([\d;]*[A-Za-z~])|[^]/gu;

/** The keys in a terminal's input; unknown sequences are ignored. */
export function parseKeys(data: string): readonly Key[] {
  return [...data.matchAll(typed)].flatMap(([text, sequence]) => {
    return (sequence === undefined ? ofLetters.get(text) : lookUp(ofSequences, sequence)) ?? [];
  });
}
