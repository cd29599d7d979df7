import type { Complaint } from "./complaint.ts";

const maxColumns = 140;

interface TextRule {
  /** Paths that the rule applies to. */
  readonly paths: RegExp;
  readonly refuse: (line: string) => boolean;
  readonly message: string;
}

const code = /\.(?:ts|tsx|mjs|py|sh)$|^\.ci\//;
const anyText = /./;
const tests = /\.test\.ts$|\/conformance[^.]*\.ts$/;

/** The patterns contain a character class so that they do not match their own source. */
const rules: readonly TextRule[] = [
  {
    paths: code,
    refuse: (line) => line.length > maxColumns,
    message: `the line has more than ${maxColumns} columns: break it`,
  },
  {
    paths: anyText,
    refuse: (line) => /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/.test(line),
    message: "unfinished work is left in the text: finish it, or open an issue",
  },
  {
    paths: tests,
    refuse: (line) => /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|fails|skipIf|runIf)\b/.test(line),
    message: "a test that does not always run, or runs alone, proves nothing: fix or delete it",
  },
  {
    paths: code,
    refuse: (line) => /(?:oxlint|eslint)-disabl[e]/.test(line) && !/-disabl[e](?:-[a-z-]+)? .+ -- \S+/.test(line),
    message: "a rule is switched off without saying which and why: `oxlint-disable-next-line <rule> -- <reason>`",
  },
  {
    paths: /^cli\/(?!terminal\/terminal\.ts)(?!.*\.test\.ts).*\.ts$/,
    refuse: (line) => /\bstd(?:out|err)\.writ[e]\(/.test(line),
    message:
      "text of others may stand in it, and the terminal would obey that: use write or say of cli/terminal/terminal.ts",
  },
  {
    paths: /^(?:libs|services|cli|sandbox)\/(?!input\/stop-scope\.ts$)(?!.*\.test\.ts).*\.ts$/,
    refuse: (line) =>
      /(?:startsWith|slice)\(["`](?:run|cluster|campaign|bucket|namespac[e])\//.test(line) ||
      /\bscop[e]\.(?:split|slice|indexOf|startsWith|endsWith|match)\(/.test(line) ||
      /new Set(?:<string>)?\(\["al[l]"/.test(line) ||
      /\^(?:\(\?:)?(?:run|cluster|campaign|bucket|namespac[e])\b[^"]*\\\//.test(line),
    message: "a scope is taken apart in one place: findNamed and others of #libs/input",
  },
  {
    // Help texts and completion scripts are printed as they are.
    paths: /^cli\/(?!completion\/)(?!show\/help-topics\.ts$)(?!program\.ts$)(?!.*\.test\.ts).*\.ts$/,
    refuse: (line) => /^(?!\s*(?:\/\/|\/?\*)).*["'`][^"'`]*(?: {2}|: ?)(?:meshroll|kubectl|npx) [a-z]/.test(line),
    message:
      "what to type is a part of its own, for npx and for line breaks: [words, { command }] (cli/terminal/sentence.ts)",
  },
  {
    paths: /\.test\.ts$|^(?:test|scripts|bench)\//,
    refuse: (line) => /\.pathnam[e]\b/.test(line),
    message: "a folder with a space or an umlaut in its name is another one there: use fileURLToPath",
  },
  {
    paths: anyText,
    refuse: (line) => /\bst(?:ands?|ood) stil[l]\b/i.test(line),
    message: "an old name: write that it is interrupted, or waits (docs/glossary.md)",
  },
  {
    paths: anyText,
    refuse: (line) => /^(?:<{7}|>{7}) /.test(line),
    message: "a merge conflict is left in the text",
  },
];

/** Checks a text file line by line. Fixtures are other people's text and are skipped. */
export function checkText(path: string, text: string): readonly Complaint[] {
  if (path.startsWith("test/fixtures/")) return [];
  const applying = rules.filter((rule) => rule.paths.test(path));
  return text
    .split("\n")
    .flatMap((line, index) =>
      applying.filter((rule) => rule.refuse(line)).map(({ message }) => ({ path, line: index + 1, message })),
    );
}
