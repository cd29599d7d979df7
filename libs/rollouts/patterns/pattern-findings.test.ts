import { describe, expect, it } from "vitest";
import { describeScalar } from "../source/number-like.ts";
import { parseRollouts } from "../parse.ts";

/** Findings of one pattern, written as a key on line 2, as `code column+length message`. */
function find(key: string): readonly string[] {
  const { findings } = parseRollouts(`production: {a: 100}\n${key}: {a: 100}\n`, "rollouts.yml");
  return findings.map(({ code, column, length, message }) => `${code} ${column}+${length ?? 0} ${message}`);
}

describe("patterns that are accepted", () => {
  it.each([
    ["Airbnb's", '".*-staging"'],
    ["a prefix", "payments-.*"],
    ["a name", "istio-e2e"],
    ["a name between anchors", "^a-staging$"],
    ["groups, classes, counts", "'^(?:pay|list)[a-z0-9-]{1,20}(x|y)?$'"],
    ["named groups and flags of RE2", "'(?i)(?P<team>pay)-.*'"],
    ["signs inside a class", "'[]^$()a]b'"],
    ["a POSIX class in front of an anchor sign", "'[[:alpha:]^$]x'"],
    ["an escape", "'team\\-a'"],
    ["a backslash in double quotes", '"a\\\\-b"'],
    ["256 characters", "a".repeat(256)],
  ])("%s", (_name, key) => {
    expect(find(key)).toEqual([]);
  });
});

describe("patterns that are refused, at the character", () => {
  const not = "not a pattern: ";
  it.each([
    ["look-behind", '".*(?<=x)"', `MR1006 4+4 ${not}look-behind, \`(?<=\``],
    ["negative look-behind", "'(?<!x).*'", `MR1006 2+4 ${not}look-behind, \`(?<!\``],
    ["look-ahead", '"a(?=b).*"', `MR1006 3+3 ${not}look-ahead, \`(?=\``],
    ["negative look-ahead", "(?!kube-).*", `MR1006 1+3 ${not}look-ahead, \`(?!\``],
    ["an atomic group", "'(?>a)'", `MR1006 2+3 ${not}an atomic group, \`(?>\``],
    ["a back-reference", "(.*)-\\1", `MR1006 6+2 ${not}the back-reference \`\\1\``],
    ["a named back-reference", "'(?P<x>a)\\k<x>'", `MR1006 10+5 ${not}the back-reference \`\\k<x>\``],
    ["behind an escape in double quotes", '"a\\\\.(?=b)"', `MR1006 6+3 ${not}look-ahead, \`(?=\``],
    ["behind a hex escape in double quotes", '"\\x61\\u0062(?=b)"', `MR1006 12+3 ${not}look-ahead, \`(?=\``],
    ["behind a doubled single quote", "'it''s(?=b)'", `MR1006 7+3 ${not}look-ahead, \`(?=\``],
    ["a group never closed", "a(b(c)", `MR1006 2+1 ${not}\`(\` is never closed`],
    ["a bracket that closes nothing", "'(a)b)'", `MR1006 6+1 ${not}\`)\` closes nothing`],
    ["a class never closed", "'a[b'", `MR1006 3+2 ${not}missing closing ] \`[b\``],
    ["a star without anything before it", "'(*)'", `MR1006 3+1 ${not}missing argument to repetition operator \`*\``],
    ["a doubled star", "a**", `MR1006 2+2 ${not}invalid nested repetition operator \`**\``],
    ["a range backwards", "'[z-a]'", `MR1006 3+3 ${not}invalid character class range \`z-a\``],
    ["an unknown escape", "a\\q", `MR1006 2+2 ${not}invalid escape sequence \`\\q\``],
    ["a backslash at the end", "ab\\", `MR1006 3+1 ${not}trailing backslash at end of expression`],
    ["a caret in the middle", "a^b", `MR1006 2+1 ${not}\`^\` in the middle of a pattern`],
    ["a dollar in the middle", "a$|b", `MR1006 2+1 ${not}\`$\` in the middle of a pattern`],
    ["a blank at the end", "'.*-staging '", `MR1006 12+1 ${not}a blank in a pattern`],
    ["an escaped control character", '"a\\0b"', `MR1006 3+2 ${not}a blank in a pattern`],
    ["nothing at all", '""', `MR1006 1+2 ${not}it is empty`],
    ["repeats that multiply", "'((a{30}){30})x{900}(y{9}){9}(z{9}){90}'", `MR1006 2+38 ${not}it repeats too much`],
    ["repeats beyond the engine", "'a{1001}'", `MR1006 3+6 ${not}invalid repeat count \`{1001}\``],
    ["257 characters", "a".repeat(257), "MR1015 1+257 the pattern has 257 characters; 256 is the most"],
    ["an en dash", '".*–staging"', "MR1011 1+12 pattern `.*–staging` contains U+2013 EN DASH"],
    [
      "a Cyrillic letter",
      "p\u0430yments",
      "MR1011 1+8 pattern `p\u0430yments` contains U+0430 CYRILLIC SMALL LETTER A",
    ],
    ["a letter that resembles no other", "caf\u00E9", "MR1011 1+4 pattern `caf\u00E9` contains U+00E9"],
    [
      "typographic quotes",
      "\u201C.*-x\u201D",
      "MR1011 1+6 pattern `\u201C.*-x\u201D` contains U+201C LEFT DOUBLE QUOTATION MARK",
    ],
  ])("%s", (_name, key, want) => {
    expect(find(key)).toEqual([want]);
  });
});

describe("characters that resemble others", () => {
  it.each([
    ["1–25–2", "write `1-25-2`"],
    ["１-25", "write `1-25`"],
    ["“a”", "write `a`"],
    ["é", "names of revisions and namespaces are plain ASCII"],
    ["\u00A0", "names of revisions and namespaces are plain ASCII"],
  ])("the help for %s names what was meant", (revision, want) => {
    const { findings } = parseRollouts(`production:\n  "${revision}": 100\n`, "rollouts.yml");

    expect(findings).toMatchObject([{ code: "MR1011", line: 2, column: 3, length: revision.length + 2, help: want }]);
  });
});

describe("names that other YAML readers do not take for text", () => {
  it.each([
    ["1.20", "a number"],
    ["007", "a number"],
    ["1e3", "a number"],
    ["0x10", "a number"],
    ["0b1", "a number"],
    ["0o7", "a number"],
    ["1_000", "a number"],
    ["12:30:45", "a number"],
    [".5", "a number"],
    [".inf", "a number"],
    ["2026-01-02", "a date"],
    ["true", "a truth value"],
    ["No", "a truth value"],
    ["null", "nothing"],
    ["1-24-5", undefined],
    ["1.24.5", undefined],
    ["v1", undefined],
    ["e3", undefined],
    ["canary", undefined],
  ])("%s is read as %s", (name, want) => {
    expect(describeScalar(name)).toBe(want);
  });
});
