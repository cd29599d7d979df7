import { readLineEnding } from "#libs/input";

import type { MapPlace } from "../objects/manifest-object.ts";
import type { Edit } from "./edit.ts";

/** A key with a text, or with a map of further entries. */
export type Entry = readonly [key: string, value: string | readonly Entry[]];

/** The line ending around `at`. */
function findLineEnding(text: string, at: number): string {
  // Most places begin a line, and searching backwards is slow.
  const before = text.charCodeAt(at - 1) === 10 ? at - 1 : text.lastIndexOf("\n", at - 1);
  return readLineEnding(text, before === -1 ? text.indexOf("\n", at) : before);
}

/** The lines with the line ending before or after each of them. */
function renderLines(entries: readonly Entry[], indent: number, before: string, after: string): string {
  const start = `${before}${" ".repeat(indent)}`;
  let lines = "";
  for (const [key, value] of entries) {
    lines +=
      typeof value === "string"
        ? `${start}${key}: ${JSON.stringify(value)}${after}`
        : `${start}${key}:${after}${renderLines(value, indent + 2, before, after)}`;
  }
  return lines;
}

function renderFlow(entries: readonly Entry[]): string {
  return entries
    .map(([key, value]) => `${key}: ${typeof value === "string" ? JSON.stringify(value) : `{${renderFlow(value)}}`}`)
    .join(", ");
}

function renderJson(entries: readonly Entry[], gap: string): string {
  return entries
    .map(([key, value]) => {
      const right = typeof value === "string" ? JSON.stringify(value) : `{${renderJson(value, gap)}}`;
      return `${JSON.stringify(key)}:${gap}${right}`;
    })
    .join(`,${gap}`);
}

/** Entries on lines of their own, as a JSON printer writes them. */
function renderJsonLines(entries: readonly Entry[], indent: string, ending: string): string {
  const step = indent.startsWith("\t") ? "\t" : "  ";
  return entries
    .map(([key, value]) => {
      if (typeof value === "string") return `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
      const below = renderJsonLines(value, indent + step, ending);
      return `${JSON.stringify(key)}: {${ending}${indent}${step}${below}${ending}${indent}}`;
    })
    .join(`,${ending}${indent}`);
}

function renderJsonEdit(text: string, place: MapPlace & { readonly form: "json" }, entries: readonly Entry[]): string {
  if (place.isEmpty) return renderJson(entries, place.gap);
  if (place.indent === undefined) return `${renderJson(entries, place.gap)},${place.gap}`;
  const ending = findLineEnding(text, place.at);
  return `${renderJsonLines(entries, place.indent, ending)},${ending}${place.indent}`;
}

/** A flow map in place of `null` or an alias. With quoted keys it is both YAML and JSON. */
function renderValue(text: string, place: MapPlace & { readonly form: "value" }, entries: readonly Entry[]): string {
  const added = new Set(entries.map(([key]) => key));
  const all: readonly Entry[] = [...entries, ...place.entries.filter(([key]) => !added.has(key))];
  const gap = text.charCodeAt(place.at - 1) === 58 ? " " : "";
  return `${gap}{${renderJson(all, " ")}}`;
}

/** One edit that adds the entries to a map. */
export function renderEntries(text: string, place: MapPlace, entries: readonly Entry[]): Edit {
  const { at } = place;
  switch (place.form) {
    case "block":
      return { start: at, end: at, text: renderLines(entries, place.indent, "", findLineEnding(text, at)) };
    case "empty": {
      const ending = text.charCodeAt(at) === 13 ? "\r\n" : findLineEnding(text, at);
      return { start: at, end: at, text: renderLines(entries, place.indent, ending, "") };
    }
    case "flow":
      return { start: at, end: at, text: `${renderFlow(entries)}${place.isEmpty ? "" : ", "}` };
    case "json":
      return { start: at, end: at, text: renderJsonEdit(text, place, entries) };
    case "value":
      return { start: at, end: place.end, text: renderValue(text, place, entries) };
  }
}
