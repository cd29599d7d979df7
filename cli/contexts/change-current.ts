import { type Document, isNode } from "yaml";

/** Words that YAML does not read as text. */
const noText: ReadonlySet<string> = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n"]);

function printName(name: string): string {
  return /^[a-z][a-z0-9-]*$/u.test(name) && !noText.has(name) ? name : JSON.stringify(name);
}

function findRange(document: Document, key: string): readonly [start: number, end: number] | undefined {
  const node = document.get(key, true);
  const range = isNode(node) ? node.range : undefined;
  return range === undefined || range === null ? undefined : [range[0], range[1]];
}

/** The text with another current context: one word changes, or a line is added below `kind`. */
export function changeCurrent(
  { text, document }: { readonly text: string; readonly document: Document },
  name: string,
): string {
  const current = findRange(document, "current");
  if (current !== undefined) return text.slice(0, current[0]) + printName(name) + text.slice(current[1]);
  const [, end = 0] = findRange(document, "kind") ?? [];
  const at = text.indexOf("\n", end) + 1;
  return `${text.slice(0, at)}current: ${printName(name)}\n${text.slice(at)}`;
}
