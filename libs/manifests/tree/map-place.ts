import { isAlias, isMap, isScalar, type Pair, type ParsedNode, type YAMLMap } from "yaml";

import type { MapPlace } from "../objects/manifest-object.ts";
import type { Anchors } from "./anchors.ts";

/** An alias of at most so many labels is written out. */
const mostEntries = 100;

/** Where an entry can be added to this map; undefined where its layout allows none. */
export function findMapPlace(text: string, pair: Pair, anchors: Anchors): MapPlace | undefined {
  const node = pair.value as ParsedNode | null;
  if (node === null) return undefined;
  if (isAlias(node)) return expandAlias(node, anchors);
  if (isScalar(node)) return replaceNull(node, text);
  if (!isMap(node)) return undefined;
  const map: YAMLMap = node;
  if (map.flow === true) return { form: "flow", at: node.range[0] + 1, isEmpty: map.items.length === 0 };
  return findBlockPlace(text, map);
}

/** Before the line of its first key, unless something else is on that line, as in `- key:` or `? key`. */
function findBlockPlace(text: string, map: YAMLMap): MapPlace | undefined {
  const [first] = map.items;
  const key = first?.key as ParsedNode | null | undefined;
  const at = key?.range?.[0];
  if (at === undefined) return undefined;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  return /^ *$/.test(text.slice(lineStart, at)) ? { form: "block", at: lineStart, indent: at - lineStart } : undefined;
}

/** An empty value, `null` or `~`. The library puts an empty value after the colon. */
function replaceNull(node: ParsedNode, text: string): MapPlace | undefined {
  if (!isScalar(node) || node.value !== null || node.anchor !== undefined || node.tag !== undefined) return undefined;
  const [at, end] = node.range;
  if (at === end && text.charCodeAt(at - 1) !== 58) return undefined;
  return { form: "value", at, end, entries: [] };
}

/** An alias of a map of plain texts, which can be written out. */
function expandAlias(node: ParsedNode, anchors: Anchors): MapPlace | undefined {
  if (!isAlias(node)) return undefined;
  const map = anchors.follow(node);
  if (!isMap(map) || map.items.length > mostEntries) return undefined;
  const entries: (readonly [string, string])[] = [];
  for (const { key, value } of map.items) {
    if (!isScalar(key) || !isScalar(value)) return undefined;
    if (typeof key.value !== "string" || typeof value.value !== "string") return undefined;
    entries.push([key.value, value.value]);
  }
  return { form: "value", at: node.range[0], end: node.range[1], entries };
}
