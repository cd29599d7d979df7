/** The length of the quantifier at an offset (`*`, `+`, `?`, `{2,3}`, each perhaps lazy); 0 when there is none. */
export function measureQuantifier(pattern: string, at: number): number {
  return /^(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??/u.exec(pattern.slice(at, at + 32))?.[0].length ?? 0;
}

/** The length of a group's opening: `(`, `(?:`, `(?P<name>`. Undefined for flags, which change the meaning of text. */
export function measureGroup(pattern: string, at: number): number | undefined {
  if (pattern.charAt(at + 1) !== "?") return 1;
  return /^\(\?(?::|P?<[A-Za-z_][A-Za-z0-9_]*>)/u.exec(pattern.slice(at))?.[0].length;
}

/** The length of the character class at an offset; undefined when it is not closed. */
export function measureClass(pattern: string, start: number): number | undefined {
  let at = pattern.charAt(start + 1) === "^" ? start + 2 : start + 1;
  // In `[]a]` the first bracket is an ordinary character.
  if (pattern.charAt(at) === "]") at++;
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    if (char === "]") return at + 1 - start;
    if (char === "\\") at += 2;
    else at += measurePosixClass(pattern, at) ?? 1;
  }
  return undefined;
}

function measurePosixClass(pattern: string, at: number): number | undefined {
  if (!pattern.startsWith("[:", at)) return undefined;
  const end = pattern.indexOf(":]", at + 2);
  return end < 0 ? undefined : end + 2 - at;
}

export interface Escape {
  readonly length: number;
  /** The character where the escape stands for one; absent where it stands for several or for a place. */
  readonly literal?: string;
}

/** Reads `\.` (a plain dot) and `\d`, `\b` and the like; undefined for longer ones (`\pL`, `\x41`, `\Q…\E`). */
export function measureEscape(pattern: string, at: number): Escape | undefined {
  const next = pattern.charAt(at + 1);
  if (/^[!-/:-@[-`{-~]$/u.test(next)) return { length: 2, literal: next };
  return /^[dDwWsSbBAz]$/u.test(next) ? { length: 2 } : undefined;
}
