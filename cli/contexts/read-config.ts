import { type Alias, type Document, isNode, LineCounter, parseDocument, visit } from "yaml";
import type { z } from "zod";

import { type Config, configForm } from "./config-form.ts";

/** A parsed file of contexts, or its errors: `line:column message`, in the order of the file. */
export type ReadConfig =
  | { readonly ok: true; readonly config: Config; readonly document: Document }
  | { readonly ok: false; readonly problems: readonly string[] };

interface Problem {
  readonly offset: number;
  readonly message: string;
}

function refuse(lines: LineCounter, problems: readonly Problem[]): ReadConfig {
  const sorted = problems.toSorted((a, b) => a.offset - b.offset);
  const printed = sorted.map(({ offset, message }) => {
    const { line, col } = lines.linePos(offset);
    return `${line}:${col} ${message}`;
  });
  return { ok: false, problems: printed };
}

/** The offset of a path's value, or of the last part of the path that exists. */
function findOffset(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range !== null && node.range !== undefined) return node.range[0];
  }
  return 0;
}

/** The offset of a key. */
function findKey(document: Document, path: readonly PropertyKey[], key: string): number {
  let offset = findOffset(document, [...path, key]);
  visit(document, {
    Pair(_, pair) {
      if (!isNode(pair.key) || String(pair.key) !== key || pair.value !== document.getIn([...path, key], true)) return;
      offset = pair.key.range?.[0] ?? offset;
    },
  });
  return offset;
}

function describeIssue(document: Document, issue: z.core.$ZodIssue): readonly Problem[] {
  const place = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      offset: findKey(document, issue.path, key),
      message: `${[place, key].filter((each) => each !== "").join(".")}: there is no such field`,
    }));
  }
  return [
    { offset: findOffset(document, issue.path), message: place === "" ? issue.message : `${place}: ${issue.message}` },
  ];
}

function findAliases(document: Document): readonly Problem[] {
  const found: Problem[] = [];
  visit(document, {
    Alias: (_, node: Alias) =>
      void found.push({ offset: node.range?.[0] ?? 0, message: "aliases are not supported: write the value out" }),
  });
  return found;
}

/** Reads a file of contexts strictly: a misspelt field could mean another fleet. */
export function readConfig(text: string): ReadConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent", merge: false });
  const wrong = [
    ...document.errors.map(({ pos, message }) => ({ offset: pos[0], message: message.split("\n", 1)[0] ?? message })),
    ...findAliases(document),
  ];
  if (wrong.length > 0) return refuse(lines, wrong);
  const parsed = configForm.safeParse(document.toJS() ?? {});
  if (!parsed.success)
    return refuse(
      lines,
      parsed.error.issues.flatMap((issue) => describeIssue(document, issue)),
    );
  const config = parsed.data;
  if (config.current !== undefined && !Object.hasOwn(config.contexts, config.current)) {
    return refuse(lines, [
      { offset: findOffset(document, ["current"]), message: `current: there is no context ${config.current}` },
    ]);
  }
  return { ok: true, config, document };
}
