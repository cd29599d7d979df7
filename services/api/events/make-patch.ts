import { isDeepStrictEqual } from "node:util";

import { isObject, lookUp } from "#libs/input";

type Operation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move"; readonly from: string; readonly path: string };
type Fields = Readonly<Record<string, unknown>>;

/** Fields that identify an entry of a list. */
const naming = ["scope", "code", "cluster", "run", "id", "name", "namespace", "workload", "kind", "bucket", "revision"];

/** Longest list whose entries are compared: the time grows with its square. Longer lists are sent whole. */
const mostCompared = 1000;

function isShort(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length <= mostCompared;
}

function nameEntry(entry: unknown): string {
  return JSON.stringify(isObject(entry) ? naming.map((field) => lookUp(entry, field) ?? null) : entry);
}

function pointTo(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The names of a list's entries; repeated names are numbered. */
function nameEntries(list: readonly unknown[]): readonly string[] {
  const seen = new Map<string, number>();
  return list.map((entry) => {
    const name = nameEntry(entry);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return `${count} ${name}`;
  });
}

function diffLists(path: string, before: readonly unknown[], after: readonly unknown[], to: Operation[]): void {
  const names = nameEntries(after);
  const kept = new Set(names);
  const entries = nameEntries(before).map((name, at) => ({ name, value: before[at] }));
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    if (kept.has(entries[at]?.name ?? "")) continue;
    entries.splice(at, 1);
    to.push({ op: "remove", path: pointTo(path, at) });
  }
  for (const [at, name] of names.entries()) {
    const value = after[at];
    const place = entries.findIndex((entry, index) => index >= at && entry.name === name);
    if (place < 0) {
      entries.splice(at, 0, { name, value });
      to.push({ op: "add", path: pointTo(path, at), value });
      continue;
    }
    if (place !== at) {
      entries.splice(at, 0, ...entries.splice(place, 1));
      to.push({ op: "move", from: pointTo(path, place), path: pointTo(path, at) });
    }
    diff(pointTo(path, at), entries[at]?.value, value, to);
  }
}

function diffFields(path: string, before: Fields, after: Fields, to: Operation[]): void {
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) to.push({ op: "remove", path: pointTo(path, key) });
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) diff(pointTo(path, key), lookUp(before, key), value, to);
    else to.push({ op: "add", path: pointTo(path, key), value });
  }
}

function diff(path: string, before: unknown, after: unknown, to: Operation[]): void {
  if (isDeepStrictEqual(before, after)) return;
  if (isShort(before) && isShort(after)) diffLists(path, before, after, to);
  else if (isObject(before) && isObject(after)) diffFields(path, before, after, to);
  else to.push({ op: "replace", path, value: after });
}

/**
 * What changes the JSON `before` into the JSON `after`: the text of a JSON Patch (RFC 6902) of `add`, `remove`, `replace` and `move`.
 * Entries of lists are compared by their names, so that a status whose workloads come and go is a few operations: no library that
 * was tried knows them, and keeps a key such as `constructor`.
 */
export function makePatch(before: string, after: string): string {
  const operations: Operation[] = [];
  diff("", JSON.parse(before), JSON.parse(after), operations);
  return JSON.stringify(operations);
}
