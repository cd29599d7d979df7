import { isDeepStrictEqual } from "node:util";

import type { Form, Forms } from "./forms.ts";

/** One place in a form, and what stands there: undefined = nothing. */
interface Difference {
  readonly at: string;
  readonly was: unknown;
  readonly is: unknown;
}

function isNode(value: unknown): value is Form {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listDifferences(was: unknown, is: unknown, at: string): readonly Difference[] {
  if (isDeepStrictEqual(was, is)) return [];
  if (!isNode(was) || !isNode(is)) return [{ at, was, is }];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => listDifferences(was[name], is[name], at === "" ? name : `${at}.${name}`));
}

function describe(kind: string, { at, was, is }: Difference): string {
  const show = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200));
  return `${kind}: ${at === "" ? "the whole form" : at} was ${show(was)} and is ${show(is)}`;
}

/** Which version the kept forms are of, and the newest that a released build writes: 0 = none was released. */
export interface KeptVersion {
  readonly version: number;
  readonly released: number;
}

function advise({ version, released }: KeptVersion): string {
  const raise =
    `raise newestFormat in libs/input/format.ts to ${version + 1}, then record the fixtures of version ${version + 1} ` +
    `(docs/reference/formats.md)`;
  if (released >= version) return `a released build writes version ${version}: ${raise}`;
  return `${raise}; or, as no released build writes version ${version}: npm run test:formats -- forms ${version}`;
}

/** What is wrong where the forms of this build are not the ones that were kept for its version; empty = nothing. */
export function judgeForms(kept: Forms, own: Forms, versions: KeptVersion): readonly string[] {
  const kinds = [...new Set([...Object.keys(kept), ...Object.keys(own)])];
  const found = kinds.flatMap((kind) =>
    listDifferences(kept[kind], own[kind], "").map((difference) => describe(kind, difference)),
  );
  if (found.length === 0) return [];
  return [...found, `a form has changed, and the version is still ${versions.version}: ${advise(versions)}`];
}
