import { makePatch } from "../../services/api/events/make-patch.ts";
import { applyPatch, type Operation } from "../../page/model/apply-patch.ts";
import fc from "fast-check";
import { expect, it } from "vitest";

/** Entries as in a status: identified by some of their fields, which two entries may share; every field may change. */
const entry = fc.record(
  {
    name: fc.constantFrom("a", "b", "c"),
    cluster: fc.constantFrom("east", "west"),
    code: fc.constantFrom("X", "Y"),
    count: fc.nat(3),
    workloads: fc.array(fc.constantFrom("web", "api", "db", "cron"), { maxLength: 6 }),
    by: fc.dictionary(fc.constantFrom("a/b", "~", "", "0"), fc.jsonValue({ maxDepth: 1 })),
  },
  { requiredKeys: [] },
);
const status = fc.record({
  runs: fc.array(entry, { maxLength: 6 }),
  names: fc.array(fc.string()),
  other: fc.jsonValue(),
});

it("a patched status equals the published one", () => {
  fc.assert(
    fc.property(status, status, (before, after) => {
      // As JSON, in which there is no -0 and no undefined.
      const [from, to] = [JSON.stringify(before), JSON.stringify(after)];
      const patch = JSON.parse(makePatch(from, to)) as readonly Operation[];
      expect(applyPatch(JSON.parse(from), patch)).toEqual(JSON.parse(to));
    }),
    { numRuns: 2000 },
  );
});

it("a namespace named like a property of every object is patched too", () => {
  const add = [{ op: "add", path: "/by/constructor", value: 1 }];
  expect(makePatch('{"by":{}}', '{"by":{"constructor":1}}')).toBe(JSON.stringify(add));
});
