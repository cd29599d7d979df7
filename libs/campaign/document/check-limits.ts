import type { Problem, Source } from "#libs/rollouts";
import { isAlias, type Node, visit } from "yaml";

import type { FileKind } from "./file-kind.ts";

const mostColumns = 1024;

const code = "MR3009";
const nested = /(?:^|[\s[{,])[-?:][ \t]+[-?:](?=[ \t\r\n]|$)/m;
const directive = /^%/m;
const documentMark = /^(?:---|\.\.\.)(?=\s|$)/gm;
/** Blank lines and comments, then the one `---` that a file may begin with. */
const documentStart = /^\uFEFF?(?:[ \t]*(?:#.*)?\r?\n)*---(?=\s|$)/;

function refuse(start: number, message: string, help?: string): Problem {
  return { code, span: { start, end: start + 1 }, message, ...(help !== undefined && { help }) };
}

function refuseMatch(match: RegExpExecArray | null, message: string): readonly Problem[] {
  return match === null ? [] : [refuse(match.index, message, "write one field or list item per line")];
}

/** A second document would be read by some readers and not by others. */
function findSecondDocument(text: string): readonly Problem[] {
  const begun = documentStart.exec(text)?.[0].length ?? 0;
  const mark = Array.from(text.matchAll(documentMark)).find(({ index }) => index >= begun);
  return mark === undefined
    ? []
    : [refuse(mark.index, `\`${mark[0]}\` is not allowed here: one document per file`, "delete this line")];
}

/**
 * Refuses, before the yaml library reads it, what could make that library slow or recurse: one linear look at the text. No
 * problems = it may be read.
 */
export function checkLimits(
  { text, lineStarts }: Source,
  { mostBytes, mostBrackets }: Pick<FileKind, "mostBytes" | "mostBrackets">,
): readonly Problem[] {
  // A character of UTF-16 has at least one byte; what has more is smaller in characters, never larger.
  if (text.length > mostBytes) return [refuse(0, `the file is larger than ${mostBytes / 1024} KiB`)];
  const long = lineStarts.find((start, index) => (lineStarts[index + 1] ?? text.length) - start > mostColumns);
  const brackets = Array.from(text.matchAll(/[[{]/g));
  const bracket = brackets[mostBrackets];
  return [
    ...(long === undefined
      ? []
      : [refuse(long, `a line has more than ${mostColumns} columns`, "write long selectors as matchExpressions")]),
    ...(bracket === undefined
      ? []
      : [refuse(bracket.index, `there are more than ${mostBrackets} brackets and braces`)]),
    ...refuseMatch(nested.exec(text), "nested list items or keys on one line are not allowed, not even in a comment"),
    ...refuseMatch(directive.exec(text), "a YAML directive is not allowed"),
    ...findSecondDocument(text),
  ];
}

/** Aliases, anchors and tags: readers of YAML differ on them, and no field needs one. */
export function findProperties(root: Node | null): readonly Problem[] {
  const problems: Problem[] = [];
  visit(root, {
    Node: (_key, node) => {
      const what = isAlias(node)
        ? "an alias (`*`)"
        : node.anchor !== undefined
          ? "an anchor (`&`)"
          : node.tag !== undefined
            ? "a tag (`!`)"
            : undefined;
      if (what !== undefined)
        problems.push(
          refuse(node.range?.[0] ?? 0, `${what} is not allowed`, "write the value out, or put it in quotes"),
        );
    },
  });
  return problems;
}
