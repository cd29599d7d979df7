/** A character that no revision and no namespace pattern contains, and the one that was probably meant. */
export interface LookAlike {
  /** `U+2013 EN DASH`, or only the code point of an unknown one. */
  readonly name: string;
  /** The text with every known look-alike replaced; undefined when nothing is left. */
  readonly meant: string | undefined;
}

const NAMES: ReadonlyMap<string, readonly [meant: string, name: string]> = new Map([
  ["\u00A0", ["", "NO-BREAK SPACE"]],
  ["\u00AD", ["", "SOFT HYPHEN"]],
  ["\u200B", ["", "ZERO WIDTH SPACE"]],
  ["\u200C", ["", "ZERO WIDTH NON-JOINER"]],
  ["\u200D", ["", "ZERO WIDTH JOINER"]],
  ["\u2060", ["", "WORD JOINER"]],
  ["\u3000", ["", "IDEOGRAPHIC SPACE"]],
  ["\u2010", ["-", "HYPHEN"]],
  ["\u2011", ["-", "NON-BREAKING HYPHEN"]],
  ["\u2012", ["-", "FIGURE DASH"]],
  ["\u2013", ["-", "EN DASH"]],
  ["\u2014", ["-", "EM DASH"]],
  ["\u2015", ["-", "HORIZONTAL BAR"]],
  ["\u2212", ["-", "MINUS SIGN"]],
  ["\uFE63", ["-", "SMALL HYPHEN-MINUS"]],
  ["\u2018", ["", "LEFT SINGLE QUOTATION MARK"]],
  ["\u2019", ["", "RIGHT SINGLE QUOTATION MARK"]],
  ["\u201C", ["", "LEFT DOUBLE QUOTATION MARK"]],
  ["\u201D", ["", "RIGHT DOUBLE QUOTATION MARK"]],
  ["\u2024", [".", "ONE DOT LEADER"]],
  ["\u2217", ["*", "ASTERISK OPERATOR"]],
  ["\u0430", ["a", "CYRILLIC SMALL LETTER A"]],
  ["\u0441", ["c", "CYRILLIC SMALL LETTER ES"]],
  ["\u0435", ["e", "CYRILLIC SMALL LETTER IE"]],
  ["\u0456", ["i", "CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I"]],
  ["\u043E", ["o", "CYRILLIC SMALL LETTER O"]],
  ["\u0440", ["p", "CYRILLIC SMALL LETTER ER"]],
  ["\u0455", ["s", "CYRILLIC SMALL LETTER DZE"]],
  ["\u0445", ["x", "CYRILLIC SMALL LETTER HA"]],
  ["\u0443", ["y", "CYRILLIC SMALL LETTER U"]],
]);

/** The first non-ASCII character, if any: names of revisions and namespaces are ASCII. */
export function findLookAlike(text: string): LookAlike | undefined {
  const first = /[^\0-\x7F]/u.exec(text)?.[0]; // oxlint-disable-line no-control-regex -- all of ASCII
  if (first === undefined) return undefined;
  const code = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const known = NAMES.get(first)?.[1];
  const meant = Array.from(text, mapCharacter).join("");
  const isMeant = meant !== "" && !/[^\0-\x7F]/u.test(meant); // oxlint-disable-line no-control-regex -- all of ASCII
  return { name: known === undefined ? code : `${code} ${known}`, meant: isMeant ? meant : undefined };
}

function mapCharacter(char: string): string {
  const point = char.codePointAt(0) ?? 0;
  // Full-width forms have a fixed distance from their ASCII characters.
  if (point >= 0xff01 && point <= 0xff5e) return String.fromCodePoint(point - 0xfee0);
  return NAMES.get(char)?.[0] ?? char;
}
