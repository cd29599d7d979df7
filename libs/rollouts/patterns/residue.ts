import { RE2JS } from "re2js";
import type { Branch } from "./branch.ts";

/** Texts that every matching name contains, in this order and without overlap. */
export interface Guard {
  /** What the name begins with; may be empty. */
  readonly prefix: string;
  readonly inner: readonly string[];
  /** What the name ends with; may be empty. */
  readonly suffix: string;
  /** Only text and `.*`: a name that passes is matched without the engine. */
  readonly isProof: boolean;
}

/** The texts that a branch requires. */
export function findGuard(branch: Branch): Guard {
  const texts = branch.map((piece) => (piece.kind === "text" ? piece.text : ""));
  return {
    prefix: texts[0] ?? "",
    inner: texts.slice(1, -1).filter((text) => text !== ""),
    suffix: texts.at(-1) ?? "",
    isProof: branch.every(({ kind }) => kind !== "opaque"),
  };
}

/** Whether a name contains the texts of a guard; each is taken at its first place, which leaves most room for the next. */
export function passesGuard({ prefix, inner, suffix }: Guard, name: string): boolean {
  if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false;
  const end = name.length - suffix.length;
  let at = prefix.length;
  for (const text of inner) {
    const found = name.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return at <= end;
}

/**
 * A pattern as a regular expression over whole names, by RE2 with linear time: patterns come from a repository, and
 * JavaScript's engine needs seconds for `([a-z0-9]+)+-staging` on a name of 33 characters. Compiled at first use.
 */
export class WholeNameRegex {
  readonly #pattern: string;
  #compiled: RE2JS | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Throws RE2JSSyntaxException for an invalid pattern, which the parser has refused before. */
  matches(name: string): boolean {
    // With DOTALL `.*` is any text, as in the index; names have no line ends.
    this.#compiled ??= RE2JS.compile(this.#pattern, RE2JS.DOTALL);
    return this.#compiled.testExact(name);
  }
}
