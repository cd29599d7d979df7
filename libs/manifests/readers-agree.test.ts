import fc from "fast-check";
import { parseAllDocuments } from "yaml";
import { describe, expect, it } from "vitest";

import { scanBlock } from "./block/scan-block.ts";
import { scanJson } from "./json/scan-json.ts";
import type { ManifestObject } from "./objects/manifest-object.ts";
import { splitDocuments } from "./text/split-documents.ts";
import { damage } from "./test-damage.ts";
import { drawFrom, writeManifests } from "./test-manifests.ts";
import { readTree } from "./tree/read-tree.ts";

function readValues(map: ManifestObject["labels"]) {
  return Object.fromEntries(Array.from(map, ([key, { value }]) => [key, value]));
}

/** The contents of an object, without places. */
function summarise(object: ManifestObject) {
  const { apiVersion, kind, name, namespace, hostNetwork, selectorRevision, templateBelow, hasRevisionExpression } =
    object;
  return {
    apiVersion,
    kind,
    name,
    namespace,
    hostNetwork,
    selectorRevision,
    hasRevisionExpression,
    templateBelow,
    labels: readValues(object.labels),
    annotations: readValues(object.annotations),
    templateLabels: readValues(object.templateLabels),
    templateAnnotations: readValues(object.templateAnnotations),
  };
}

/** Checks that the library accepts what the fast reader accepts, with the same objects. */
function expectAgreement(text: string): number {
  let taken = 0;
  if (/\r(?!\n)/.test(text)) return taken;
  for (const piece of splitDocuments(text)) {
    const fast = scanBlock(text, piece);
    if (fast === undefined) continue;
    const tree = readTree(text, piece);
    const where = JSON.stringify(text.slice(piece.start, piece.end));
    expect(tree.ok ? "" : tree.malformed.message, where).toBe("");
    const objects = tree.ok ? tree.objects.map(summarise) : [];
    const isClear = fast.every(({ unclear }) => unclear === undefined);
    expect(isClear ? fast.map(summarise) : objects, where).toEqual(objects);
    taken++;
  }
  return taken;
}

describe("the fast reader of plain block YAML", () => {
  it("reads the same as the YAML library, in every style that people write", () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        taken += expectAgreement(writeManifests(drawFrom(seed)));
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(200);
  });

  it("accepts nothing that the YAML library refuses or reads differently", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawFrom(seed);
        expectAgreement(damage(writeManifests(draw), draw));
      }),
      { numRuns: 1500 },
    );
  });

  it("splits a stream where the library does", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const text = writeManifests(drawFrom(seed));
        const whole = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
        const pieces = splitDocuments(text).map(({ start, end }) => text.slice(start, end));
        const parts = pieces.flatMap((piece) => parseAllDocuments(piece, { uniqueKeys: false, logLevel: "silent" }));
        const filled = (documents: typeof parts) =>
          documents
            .map((document) => document.toJS({ maxAliasCount: -1 }) as unknown)
            .filter((value) => value !== null);
        expect(filled(parts)).toEqual(filled(Array.isArray(whole) ? whole : []));
      }),
      { numRuns: 200 },
    );
  });
});

describe("the reader of JSON", () => {
  it.each([
    ["a long number before an invalid value", `${"1".repeat(300)}x`, false],
    ["many strings before an invalid value", `${'""'.repeat(150)}x`, false],
    ["many values in a row", "1 ".repeat(150), true],
    ["nothing", "", true],
  ])("accepts %s as JSON.parse does, in a bounded time", (_, text, isTaken) => {
    expect(isSequence(text)).toBe(isTaken);
    expect(scanJson(text, 0, text.length).ok).toBe(isTaken);
  });

  it("accepts exactly what JSON.parse accepts", () => {
    fc.assert(
      fc.property(fc.json(), fc.integer(), fc.boolean(), (json, seed, isDamaged) => {
        const text = isDamaged ? damage(json, drawFrom(seed)) : json;
        // Several values in a row are one stream.
        const { ok } = scanJson(text, 0, text.length);
        expect(ok, text).toBe(isSequence(text));
      }),
      { numRuns: 500 },
    );
  });
});

/**
 * True for several JSON values in a row. Each place is tried once: any part of a long number is a number, and trying all splits
 * took minutes for one text in some thousands.
 */
function isSequence(text: string): boolean {
  const end = text.trimEnd().length;
  const starts = new Set([0]);
  for (const start of starts) {
    if (start >= end || isJson(text.slice(start, end))) return true;
    for (let next = start + 1; next < end; next++) if (isJson(text.slice(start, next))) starts.add(next);
  }
  return false;
}

/** It runs many times, mostly on invalid text, where the stack of each error would take most of the time. */
function isJson(text: string): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
