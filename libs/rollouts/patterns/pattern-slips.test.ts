import { describe, expect, it } from "vitest";

import { parseRollouts } from "../parse.ts";
import { findPatternSlip } from "./pattern-slips.ts";

const glob = (piece: string, char: string): string =>
  `\`${piece}\` is any number of \`${char}\` here, and not any text as in a shell`;
const dead = (alternative: string, why: string): string =>
  `\`${alternative}\` matches no name that a namespace can have: ${why}`;

describe("patterns that are valid but probably not meant", () => {
  it.each<[pattern: string, place: string, message: string, help: RegExp]>([
    ["payments-*", "8+2", glob("-*", "-"), /^write `payments-\.\*`; `payments\[-\]\*` if it is meant as it stands$/u],
    ["payments*", "7+2", glob("s*", "s"), /^write `payments\.\*`/u],
    ["team-*-prod", "4+2", glob("-*", "-"), /^write `team-\.\*-prod`/u],
    ["^payments-*$", "9+2", glob("-*", "-"), /^write `\^payments-\.\*\$`/u],
    ["(pay-*|list-*)-x", "4+2", glob("-*", "-"), /^write `\(pay-\.\*\|list-\.\*\)-x`/u],
    ["(?:a-*|b)", "4+2", glob("-*", "-"), /^write `\(\?:a-\.\*\|b\)`/u],
    ["shop-?", "4+2", "`-?` at the end adds nothing: no namespace ends with `-`", /^write `shop-\.`$/u],
    ["shop-+", "4+2", "`-+` at the end adds nothing: no namespace ends with `-`", /^write `shop-\.\+`$/u],
    ["pay-{a,b}", "4+5", "`{a,b}` is this very text, braces included, which no namespace has", /`pay-\(a\|b\)`/u],
    ["[!a]-x", "0+2", "`[!` is one of these characters or `!`, and not any other character", /`\[\^a\]-x`/u],
    ["payments-", "0+9", dead("payments-", "none ends with `-`"), /^write `payments-\.\*`$/u],
    ["-staging", "0+8", dead("-staging", "none begins with `-`"), /^write `\.\*-staging`$/u],
    ["payments-|orders-.*", "0+9", dead("payments-", "none ends with `-`"), /^write `payments-\.\*`$/u],
    ["orders|Payments-.*", "7+11", dead("Payments-.*", "none has `P`"), /^write `payments-\.\*`$/u],
    ["team_a", "0+6", dead("team_a", "none has `_`"), /^write `team-a`$/u],
    ["payments-%", "0+10", dead("payments-%", "none has `%`"), /^write `payments-\.\*`$/u],
    ["payments/.*", "0+11", dead("payments/.*", "none has `/`"), /^names of namespaces have small letters/u],
    ["a\\.b", "0+4", dead("a\\.b", "none has `.`"), /^names of namespaces have small letters/u],
    ["pay-a,pay-b", "0+11", dead("pay-a,pay-b", "none has `,`"), /^write `a\|b` for `a` or `b`$/u],
    ["^payments", "0+1", lone("^"), /^write `payments\.\*` for all that begin so, `\^payments\$` for this one$/u],
    ["payments$", "8+1", lone("$"), /^write `\.\*payments` for all that end so, `\^payments\$` for this one$/u],
  ])("%s", (pattern, place, message, help) => {
    const slip = findPatternSlip(pattern);

    expect([`${slip?.index}+${slip?.length}`, slip?.message]).toEqual([place, message]);
    expect(slip?.help).toMatch(help);
  });
});

function lone(sign: string): string {
  return `\`${sign}\` changes nothing: the whole name is matched, so only \`payments\` has this bucket's pattern`;
}

describe("patterns that are meant as written", () => {
  it.each([
    ["payments-.*", ".*-staging", "payments-.+", "payments.*", "a.*", ".*", "istio-e2e", "^a-staging$", "a--b"],
    ["payments-[a-z]*", "team-\\d*", "(a|b)*", "(?:payments)*", "a(-(b|c))*", "payments[-]*", "payments-(.*)"],
    ["teams?", "team-?[a-z]+", "x(-y)?", "(-|)x", "a+", "pr-....", "team-.", "team-[0-9]{2,3}", "a{2}", "shop.prod"],
    ["payments|orders", "payments-.*|orders-.*", "(pay|search)-.*", "[a-z]+-prod", "^.*-staging$", "^payments-.*"],
    ["(?i)Payments-.*", "(?P<team>pay)-.*", "[^a-c]x", "[!-~]+", "[[:alpha:]^$]x", "\\w+", "a\\-b", "\\Qa-\\E.*"],
  ])("%s, %s, %s and others", (...patterns) => {
    expect(patterns.flatMap((pattern) => (findPatternSlip(pattern) === undefined ? [] : [pattern]))).toEqual([]);
  });
});

describe("shell patterns that are not regular expressions", () => {
  it.each([
    ["'*-staging'", "write `.*-staging`"],
    ["'*'", "write `.*`"],
    ["'?-web'", "write `.-web`"],
    ["payments-?*", "write `payments-.+`"],
    ["payments-**", "write `payments-.*`"],
  ])("%s", (key, help) => {
    const { findings } = parseRollouts(`production: {a: 100}\n${key}: {a: 100}\n`, "rollouts.yml");

    expect(findings).toMatchObject([{ code: "MR1006", help: `patterns are regular expressions: ${help}` }]);
  });
});

describe("MR1020 in rollouts.yml", () => {
  it("is a warning with its place, and an error in an entry that meshroll pin marked", () => {
    const text =
      'production: {a: 100}\n"pay\\x2d*": {a: 100}\norders-*: {a: 100} # meshroll: pin ana until 2026-11-28 x\n';
    const { ok, findings } = parseRollouts(text, "rollouts.yml");

    expect(ok).toBe(false);
    expect(findings.map(({ code, severity, line, column, length }) => [code, severity, line, column, length])).toEqual([
      ["MR1020", "warning", 2, 5, 5],
      ["MR1020", "error", 3, 7, 2],
    ]);
  });
});
