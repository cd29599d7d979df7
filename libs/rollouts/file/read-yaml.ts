import { type Document, isAlias, type Node, parseDocument, visit, type YAMLError } from "yaml";
import { locate, quoteText, type Problem, type Source, type Span } from "../source/source.ts";

/** What the yaml library makes of a text: the tree, and what keeps it from being used. */
export interface YamlTree {
  readonly root: Node | null;
  readonly problems: readonly Problem[];
}

/** Where the library's stack ended differs between processes, so no place is named. */
const tooDeep: Problem = {
  code: "MR1015",
  span: { start: 0, end: 1 },
  message: "something in this file is nested too deep to be read",
  help: "no file of meshroll's has more than ten levels",
};

/** The library complains of each character behind a broken one: a list that long helps no one. */
const mostTranslated = 100;

/**
 * Reads one document. Everything stays source text (`failsafe`: `1.20` and `007` are no numbers), and duplicates are ours to find
 * because `uniqueKeys` compares each key with every other. Anchors, aliases, tags and directives are refused: no file needs them.
 */
export function readYaml(source: Source): YamlTree {
  const { text } = source;
  const document = parseDocument(text, {
    schema: "failsafe",
    stringKeys: true,
    uniqueKeys: false,
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // With "silent" it would not say that there is a second document.
    logLevel: "error",
  });
  const complaints = [...document.errors, ...document.warnings];
  if (complaints.some(({ code }) => code === "RESOURCE_EXHAUSTION")) return { root: null, problems: [tooDeep] };
  const broken = complaints.slice(0, mostTranslated).map((error) => translate(error, text));
  const problems = [...findDirective(document, text), ...findForms(document, text), ...broken];
  return { root: document.contents, problems: keepOnePerLine(source, problems) };
}

/** Behind a broken place the rest of its line would only repeat it. The first of a line stays, in the order of the list. */
function keepOnePerLine(source: Source, problems: readonly Problem[]): readonly Problem[] {
  const byLine = new Map<number, Problem>();
  for (const problem of problems) {
    const { line } = locate(source, problem.span.start);
    if (!byLine.has(line)) byLine.set(line, problem);
  }
  return [...byLine].toSorted(([a], [b]) => a - b).map(([, problem]) => problem);
}

function refuseForm(span: Span, message: string, help: string): Problem {
  return { code: "MR1013", span, message, help };
}

function findDirective(document: Document, text: string): readonly Problem[] {
  const { yaml, tags } = document.directives ?? { tags: {} };
  if (yaml?.explicit !== true && Object.keys(tags).length === 1) return [];
  const at = Math.max(0, text.search(/^%/mu));
  return [refuseForm({ start: at, end: at + 1 }, "a YAML directive is not allowed", "delete this line")];
}

/** MR1013 for anchors, aliases and tags: readers of YAML differ on them. */
function findForms(document: Document, text: string): readonly Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Node: (_key, node) => {
      if (problems.length >= mostTranslated) return visit.BREAK;
      const start = node.range?.[0] ?? 0;
      if (isAlias(node)) problems.push(refuseAlias(node.source, start));
      else if (node.anchor !== undefined) problems.push(refuseAnchor(node.anchor, text, start));
      else if (node.tag !== undefined) problems.push(refuseTag(text, start));
      return undefined;
    },
  });
  return problems;
}

const writeOut = "write the value out, or put it in quotes";

/** A pattern such as `*-staging` is meant as a wildcard: YAML reads an alias, so the help says how to write the pattern. */
function refuseAlias(source: string, start: number): Problem {
  const name = source.replace(/:$/u, "");
  const isWildcard = name !== source;
  const help = isWildcard ? `a pattern is a regular expression: write \`.*${name}\`` : writeOut;
  return refuseForm({ start, end: start + 1 + name.length }, "an alias (`*`) is not allowed", help);
}

function refuseAnchor(name: string, text: string, before: number): Problem {
  const start = Math.max(0, text.lastIndexOf(`&${name}`, before));
  return refuseForm({ start, end: start + 1 + name.length }, "an anchor (`&`) is not allowed", writeOut);
}

function refuseTag(text: string, before: number): Problem {
  let start = Math.max(0, text.lastIndexOf("!", before - 1));
  while (text.charAt(start - 1) === "!") start -= 1;
  return refuseForm({ start, end: start + 1 }, "a tag (`!`) is not allowed", writeOut);
}

const SAME_COLUMN = "start every bucket in column 1, and indent all its revisions by the same number of blanks";

interface Wording {
  readonly code?: string;
  readonly message: string;
  readonly help: string;
}

const WORDINGS: Readonly<Partial<Record<YAMLError["code"], Wording>>> = {
  TAB_AS_INDENT: { message: "a tab is used as indentation", help: "indent with blanks" },
  BLOCK_AS_IMPLICIT_KEY: { message: "a second `: ` on this line", help: "write one `revision: percentage` per line" },
  MULTILINE_IMPLICIT_KEY: {
    message: "this line has no `:`, so it runs into the next one",
    help: "end the bucket's line with `:`, and close each quote on its line",
  },
  BAD_DQ_ESCAPE: { message: "no escape that YAML knows", help: "in single quotes a backslash needs no escape" },
  BAD_SCALAR_START: { message: "a value cannot begin with this character", help: "put it in quotes" },
  MULTIPLE_DOCS: { code: "MR1013", message: "one document per file", help: "delete this line" },
  NON_STRING_KEY: { code: "MR1013", message: "a map or a list as a key is not allowed", help: "a key is a name" },
  TAG_RESOLVE_FAILED: { code: "MR1013", message: "a tag (`!`) is not allowed", help: writeOut },
};

function translate(error: YAMLError, text: string): Problem {
  const [start, end] = error.pos;
  const span = { start: Math.min(start, text.length), end };
  const wording = WORDINGS[error.code];
  if (wording !== undefined) return { code: "MR1001", span, ...wording };
  return { code: "MR1001", span, message: `not YAML: ${reword(error.message)}`, help: SAME_COLUMN };
}

function reword(message: string): string {
  const first = message.split("\n", 1)[0] ?? "";
  return quoteText(first.charAt(0).toLowerCase() + first.slice(1)).slice(1, -1);
}
