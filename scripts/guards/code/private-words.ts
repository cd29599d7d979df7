import type { Complaint } from "../complaint.ts";

const who = "the workload, owner, caller or process that acts";

/** Words that the project gave up, with all forms that were in use, and what is written instead (docs/glossary.md). */
const replaced: readonly (readonly [old: string, write: string])[] = [
  ["aside asides", "skipped, or excluded"],
  ["standing standings", "state, or what it is the state of"],
  ["survey surveys surveyed", "usage, or snapshot"],
  ["scene scenes sight sights", "snapshot, evaluation or view"],
  ["leaf", "entry"],
  ["facet facets", "index key"],
  ["desk desks telling tellings runbook runbooks", "sink, notification or store"],
  ["forge forges", "scm"],
  ["pacer pacers", "rate limiter"],
  ["mainline mainlines", "repository snapshot"],
  ["care carer carers watchman watchmen", "remediation, or watcher"],
  ["heir heirs", "successor"],
  ["keeper keepers", "owner, store or writer"],
  ["replan replans replanned replanning", "re-render"],
  ["anew", "again"],
  ["beside", "next to; a name says what lies there"],
  ["lift lifts lifted lifting", "resume or unhold, the verb that does it"],
  ["exposed", "early exposure"],
  ["mend mends mended mending", "fix"],
  ["nobody somebody anybody everybody whoever", who],
];

const replacements: ReadonlyMap<string, string> = new Map(
  replaced.flatMap(([old, write]) => old.split(" ").map((word) => [word, write] as const)),
);

interface Exception {
  readonly words: readonly string[];
  readonly paths: RegExp;
  /** Not printed; the reason for people who want to add an exception. */
  readonly why: string;
}

/** Files in which such a word has another meaning. Without a good reason, rename instead. */
export const exceptions: readonly Exception[] = [
  {
    words: [...replacements.keys()],
    paths: /^(?:scripts\/guards\/code\/private-words|test\/guards\/private-words\.test)\.ts$/,
    why: "the guard itself names what it refuses",
  },
  {
    words: ["forge", "forges"],
    paths: /^test\/|\.test\.ts$|^docs\/explanation\/threats\.md$|^docs\/adr\/0023-/,
    why: "what an attacker does with records and jobs; and test/forge, which tests against a real one",
  },
  {
    words: ["forge", "forges"],
    paths: /^docs\/adr\/0048-/,
    why: "the decision to support two of them, as it was taken",
  },
  { words: ["beside"], paths: /^docs\/adr\/0015-/, why: "a field that this decision introduced, and that is gone" },
  {
    words: ["beside"],
    paths: /^test\/flow\/walks\/campaign\/shape\.ts$/,
    why: "the seed of a drawn walk: with another one the kept walks are others",
  },
  {
    words: ["everybody"],
    paths: /^services\/api\/hints\/verify-signature\.test\.ts$/,
    why: "the secret of GitHub's own test vector",
  },
];

/**
 * Names that are given: files of old decisions keep theirs, and the script, folder, cache and variables of the tests against a real
 * SCM are called as people type them.
 */
const givenNames =
  /\b\d{4}-[a-z0-9-]+\.md|\bMESHROLL_FORGE_\w+|\b(?:test[:/]|\.\/|meshroll\/|cluster,)forge\b|\\[nrt]/g;
/** Splits identifiers into words: by capitals, and file names by separators. */
const word = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu;

function findWords(text: string, allowed: ReadonlySet<string>): readonly string[] {
  const found = [...text.replaceAll(givenNames, " ").matchAll(word)].map(([each]) => each.toLowerCase());
  return [...new Set(found)].filter((each) => replacements.has(each) && !allowed.has(each));
}

function explain(old: string): string {
  return `"${old}" is an old word of ours: write ${replacements.get(old)} (docs/glossary.md)`;
}

/**
 * Complains about a given-up word in the path and in each line: in prose, and as a part of an identifier. Fixtures are other
 * people's text.
 */
export function checkPrivateWords(path: string, text: string): readonly Complaint[] {
  if (path.startsWith("test/fixtures/")) return [];
  const allowed = new Set(exceptions.filter(({ paths }) => paths.test(path)).flatMap(({ words }) => words));
  return [
    ...findWords(path, allowed).map((old) => ({ path, message: `the file's name: ${explain(old)}` })),
    ...text
      .split("\n")
      .flatMap((line, index) =>
        findWords(line, allowed).map((old) => ({ path, line: index + 1, message: explain(old) })),
      ),
  ];
}
