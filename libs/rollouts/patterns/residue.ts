import { RE2JS } from "re2js";
import type { Branch } from "./branch.ts";

/** Plain texts that every name a branch matches has, in this order and apart from each other. */
export interface Guard {
  /** What the name begins with; may be empty. */
  readonly prefix: string;
  readonly inner: readonly string[];
  /** What the name ends with; may be empty. */
  readonly suffix: string;
  /** Nothing but text and `.*` between: a name that passes is matched, and no regular expression need run. */
  readonly isProof: boolean;
}

/** What text a branch demands. */
export function findGuard(branch: Branch): Guard {
  const texts = branch.map((piece) => (piece.kind === "text" ? piece.text : ""));
  return {
    prefix: texts[0] ?? "",
    inner: texts.slice(1, -1).filter((text) => text !== ""),
    suffix: texts.at(-1) ?? "",
    isProof: branch.every(({ kind }) => kind !== "opaque"),
  };
}

/** True when the texts of a guard stand in a name; each at its first place, which leaves most room for the next. */
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
 * A pattern as a regular expression over whole names. RE2, whose time is linear: a pattern comes from a repository, and the engine of
 * JavaScript needs seconds for `([a-z0-9]+)+-staging` on a name of 33 characters. Compiled at the first name that needs it.
 */
export class WholeNameRegex {
  readonly #pattern: string;
  #compiled: RE2JS | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Throws RE2JSSyntaxException for what is no pattern: the parser has refused such a file. */
  matches(name: string): boolean {
    // With DOTALL `.*` is any text, as in the index; a namespace has no line end anyway.
    this.#compiled ??= RE2JS.compile(this.#pattern, RE2JS.DOTALL);
    return this.#compiled.testExact(name);
  }
}
