import fc from "fast-check";
import { parseAllDocuments } from "yaml";
import { describe, expect, it } from "vitest";

import { splitDocuments } from "./text/split-documents.ts";
import { damage } from "./test-damage.ts";
import { drawFrom, writeManifests } from "./test-manifests.ts";
import { mutateText, usual } from "./test-question.ts";

type Values = { [key: string]: Values } & { [key: string]: unknown };

function readAll(text: string): readonly unknown[] {
  const documents = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: "silent" });
  return documents.map((each) => JSON.parse(JSON.stringify(each.toJS({ maxAliasCount: -1 }) ?? null)) as unknown);
}

function listObjects(value: unknown): readonly Values[] {
  if (typeof value !== "object" || value === null) return [];
  const object = value as Values;
  return Array.isArray(object["items"]) ? [object, ...(object["items"] as unknown[]).flatMap(listObjects)] : [object];
}

/** The expected values of an object that `mutate` changes. */
function setRevision(object: Values): void {
  const annotations = (object["metadata"]!["annotations"] ??= {});
  Object.assign(annotations, {
    "meshroll.dev/mutated-at": usual.stamp.mutatedAt,
    "meshroll.dev/spec-commit": usual.stamp.specCommit,
  });
  const revision = annotations["meshroll.dev/pin"] ?? "1-25-2";
  const spec = object["spec"]!;
  const kind = object["kind"] as unknown;
  const owner = kind === "CronJob" ? spec["jobTemplate"]!["spec"]! : spec;
  const pods = kind === "Pod" ? object : owner["template"]!;
  ((pods["metadata"] ??= {})["labels"] ??= {})["istio.io/rev"] = revision as Values;
}

const written = { numRuns: 150 };

describe("mutate, over streams in every style", () => {
  it("parse(out) is parse(in) with the label and the annotations, and nothing else", () => {
    let count = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const text = writeManifests(drawFrom(seed));
        const mutated = mutateText(text, { namespace: "shop" });
        if (mutated === undefined) throw new Error(`refused: ${text}`);
        const expected = readAll(text);
        const objects = expected.flatMap(listObjects).filter(({ kind }) => kind !== undefined);
        const changed = new Set(mutated.outcomes.filter(({ result }) => result.kind === "written").map(({ at }) => at));
        count += changed.size;
        expect(readAll(mutated.text)).toEqual(applyTo(expected, objects, mutated, text));
      }),
      written,
    );
    expect(count).toBeGreaterThan(80);
  });

  it("changes nothing in its own output, at any later time and commit", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const once = mutateText(writeManifests(drawFrom(seed)), { namespace: "shop" })?.text ?? "";
        const stamp = { mutatedAt: "2027-01-01T00:00:00Z", specCommit: "fedcba987654" };
        expect(mutateText(once, { namespace: "shop", stamp })?.text).toBe(once);
      }),
      written,
    );
  });

  it("keeps the bytes of every document in which nothing is written", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const text = writeManifests(drawFrom(seed));
        const mutated = mutateText(text, { namespace: "shop" });
        const before = splitDocuments(text);
        const after = splitDocuments(mutated?.text ?? "");
        expect(after).toHaveLength(before.length);
        const starts = (mutated?.outcomes ?? []).flatMap(({ at, result }) => (result.kind === "written" ? [at] : []));
        for (const [index, piece] of before.entries()) {
          if (starts.some((at) => at >= piece.start && at < piece.end)) continue;
          const same = after[index]!;
          expect(mutated?.text.slice(same.start, same.end)).toBe(text.slice(piece.start, piece.end));
        }
      }),
      written,
    );
  });

  it("in plain documents adds and changes only lines of the label and the two annotations", () => {
    const ours =
      /^\s*(?:"?(?:istio\.io\/rev|meshroll\.dev\/(?:mutated-at|spec-commit))"?:|"?(?:annotations|labels|metadata)"?:(?: \{)?$|\},?$)/;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const text = writeManifests(drawFrom(seed));
        const kept = new Set(text.split(/\r?\n/));
        const added = (mutateText(text, { namespace: "shop" })?.text ?? "")
          .split(/\r?\n/)
          .filter((line) => !kept.has(line));
        // A flow map or an alias shares its line with what was there before.
        for (const line of added.filter((each) => !/\{.*\}|\*/.test(each))) expect(line).toMatch(ours);
      }),
      written,
    );
  });

  it("never throws on a damaged text, and gives the place", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const draw = drawFrom(seed);
        const text = damage(writeManifests(draw), draw);
        const once = mutateText(text, { namespace: "shop", verify: true });
        expect(once === undefined ? undefined : mutateText(once.text, { namespace: "shop" })?.text).toBe(once?.text);
      }),
      { numRuns: 300 },
    );
  });
});

/** Finds the object of an outcome among the parsed values: both are in the order of the text. */
function applyTo(
  expected: readonly unknown[],
  objects: readonly Values[],
  mutated: NonNullable<ReturnType<typeof mutateText>>,
  text: string,
): readonly unknown[] {
  const written = mutated.outcomes.filter(({ result }) => result.kind === "written");
  for (const outcome of written) {
    const namesakes = objects.filter(
      ({ kind, metadata }) => kind === (outcome.kind as unknown) && metadata?.["name"] === (outcome.name as unknown),
    );
    if (namesakes.length !== 1) return readAll(mutated.text); // Two objects of the same name, which the names cannot tell apart.
    expect(text.slice(outcome.at)).not.toBe("");
    setRevision(namesakes[0]!);
  }
  return expected;
}
