import { parseDocument, type Node, type ParsedNode, type YAMLError } from "yaml";
import { quoteText, type Problem } from "../source/source.ts";

/** What the yaml library makes of a text: the tree, and its complaints in our words. */
export interface YamlTree {
  readonly root: Node | null;
  readonly problems: readonly Problem[];
}

export type ReadYaml = (text: string) => YamlTree;

/**
 * Reads one document. Everything stays source text (`failsafe`: `1.20` and `007` are no numbers), and duplicates are ours to find
 * because `uniqueKeys` compares each key with every other.
 */
export function readYaml(text: string): YamlTree {
  const document = parseDocument<ParsedNode>(text, {
    schema: "failsafe",
    stringKeys: true,
    uniqueKeys: false,
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const complaints = [...document.errors, ...document.warnings];
  return { root: document.contents, problems: complaints.map((error) => translate(error, text)) };
}

const SAME_COLUMN = "start every bucket in column 1, and indent all its revisions by the same number of blanks";

interface Wording {
  readonly message: string;
  readonly help: string;
}

const WORDINGS: Readonly<Partial<Record<YAMLError["code"], Wording>>> = {
  TAB_AS_INDENT: { message: "a tab is used as indentation", help: "indent with blanks" },
  BLOCK_AS_IMPLICIT_KEY: { message: "a second `: ` on this line", help: "write one `revision: percentage` per line" },
  MULTILINE_IMPLICIT_KEY: {
    message: "this line has no `:`, so it runs into the next one",
    help: "end the bucket's line with `:`",
  },
  BAD_SCALAR_START: { message: "a value cannot begin with this character", help: "put it in quotes" },
};

function translate(error: YAMLError, text: string): Problem {
  const [start, end] = error.pos;
  const wording = WORDINGS[error.code];
  const span = { start: Math.min(start, text.length), end };
  if (wording !== undefined) return { code: "MR1001", span, ...wording };
  return { code: "MR1001", span, message: `not YAML: ${reword(error.message)}`, help: SAME_COLUMN };
}

function reword(message: string): string {
  const first = message.split("\n", 1)[0] ?? "";
  return quoteText(first.charAt(0).toLowerCase() + first.slice(1)).slice(1, -1);
}
