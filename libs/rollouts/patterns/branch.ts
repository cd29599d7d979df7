/** A piece of a pattern: plain text, `.*`, or something that only the regular expression engine understands. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "opaque" };

/** One alternative of a pattern: its pieces in order, neighbouring texts joined. No piece = the empty name. */
export type Branch = readonly Piece[];

/** Alternatives multiply (`(a|b)(c|d)`), so their number and length are limited. */
const MAX_BRANCHES = 64;
const MAX_TEXT = 2_048;

/** `.*` */
export const ANY: Piece = { kind: "any" };
const OPAQUE: Piece = { kind: "opaque" };
/** An alternative that only the engine can judge. */
export const JUDGED_BY_REGEX: readonly Branch[] = [[OPAQUE]];

/** A piece of plain text. */
export function text(value: string): Piece {
  return { kind: "text", text: value };
}

/** Every head followed by every tail. */
export function multiply(heads: readonly Branch[], tails: readonly Branch[]): readonly Branch[] {
  if (heads.length * tails.length <= MAX_BRANCHES) {
    return bound(heads.flatMap((head) => tails.map((tail) => join(head, tail))));
  }
  return heads.length > tails.length ? multiply([merge(heads)], tails) : multiply(heads, [merge(tails)]);
}

/** The same branches, or a single less precise one when there are too many. */
export function bound(branches: readonly Branch[]): readonly Branch[] {
  if (branches.length === 1) return branches;
  const texts = branches.flatMap((branch) => branch.map((piece) => (piece.kind === "text" ? piece.text.length : 0)));
  const length = texts.reduce((sum, one) => sum + one, 0);
  return branches.length > MAX_BRANCHES || length > MAX_TEXT ? [merge(branches)] : branches;
}

/** One branch for several: it keeps their common beginning and end, which spares most runs of the engine. */
function merge(branches: readonly Branch[]): Branch {
  const head = branches.map((branch) => textOf(branch[0])).reduce(shareHead);
  const tail = branches.map((branch) => textOf(branch.at(-1))).reduce(shareTail);
  // In a branch of text only, the common beginning and end may overlap: `ab` and `abab` share both, but `ab` contains `ab`
  // once.
  const whole = branches.filter((branch) => branch.length === 1 && branch[0]?.kind === "text");
  const room = Math.min(...whole.map((branch) => textOf(branch[0]).length - head.length), tail.length);
  const end = tail.slice(tail.length - room);
  return [...(head === "" ? [] : [text(head)]), OPAQUE, ...(end === "" ? [] : [text(end)])];
}

function textOf(piece: Piece | undefined): string {
  return piece?.kind === "text" ? piece.text : "";
}

function shareHead(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length++;
  return a.slice(0, length);
}

function shareTail(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a.charAt(a.length - 1 - length) === b.charAt(b.length - 1 - length)) length++;
  return a.slice(a.length - length);
}

function join(head: Branch, tail: Branch): Branch {
  const last = head.at(-1);
  const first = tail[0];
  if (last?.kind !== "text" || first?.kind !== "text") return [...head, ...tail];
  return [...head.slice(0, -1), text(last.text + first.text), ...tail.slice(1)];
}
