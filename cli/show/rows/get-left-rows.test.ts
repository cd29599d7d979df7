import type { RunRecord } from "#libs/plan";
import { writeText } from "#libs/wording";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { printSentence } from "../../terminal/sentence.ts";
import { recallNamed } from "../../commands/listing/listers.ts";
import { listFailures } from "./get-left-rows.ts";
import { makeInstant } from "#test/world/campaigns/campaign-instant";
import type { FleetPart, FleetView } from "./narrow-view.ts";

const run = "0123456789ab";
const failed = (cluster: string, workload: string) => {
  return { cluster, workload, code: "ReadinessTimeout", message: writeText("not ready"), failed: true as const };
};
const skipped = [
  failed("one", "shop/Deployment/a"),
  failed("one", "gone/Deployment/b"),
  failed("away", "shop/Deployment/c"),
];
const outcome: NonNullable<RunRecord["outcome"]> = { migrated: 1, skipped, seen: ["one"] };

function makeRecord(change: Partial<RunRecord>): RunRecord {
  return makeRun(sha("run"), sha("base"), { id: run, state: "done", ...change });
}

/** A fleet that has none of the namespaces and clusters any more. */
function see(record: RunRecord, part: FleetPart = {}): FleetView {
  const snapshot = { ...makeInstant(), ledger: makeLedger({ runs: { [run]: record } }), clusters: new Map() };
  return { snapshot, part, failures: [], skipped: [], evaluation: { judged: new Map() } };
}

const all = ["one:shop/Deployment/a", "one:gone/Deployment/b", "away:shop/Deployment/c"];
const cases: readonly { readonly name: string; readonly part?: FleetPart; readonly want: readonly string[] }[] = [
  { name: "namespaces and clusters that are gone are listed as recorded", want: all },
  { name: "a cluster that is named is the only one", part: { cluster: "away" }, want: all.slice(2) },
  { name: "a namespace that is named is the only one", part: { namespace: "gone" }, want: all.slice(1, 2) },
  { name: "labels of what is gone are not known", part: { labels: [] }, want: [] },
];

test.each(cases)("what failed in an ended run: $name", ({ part = {}, want }) => {
  const { rows } = listFailures(see(makeRecord({ outcome }), part), `run/${run}`);
  expect(rows.map(({ name }) => name)).toEqual(want);
});

const counts = { migrated: 1, skipped: 3, failed: 3 };
const archived = makeRecord({ archived: "facts", counts });

test("what failed in an archived run is read from the archive, by either form of its name", async () => {
  const asked: string[] = [];
  const recall = async (id: string) => {
    asked.push(id);
    return Promise.resolve(makeLedger({ runs: { [run]: makeRecord({ archived: "whole", outcome }) } }));
  };
  for (const name of [`run/${run}`, run]) {
    const view = await recallNamed(see(archived), name, recall);
    expect(listFailures(view, name).rows.map((row) => row.name)).toEqual(all);
  }
  await recallNamed(see(makeRecord({ outcome })), `run/${run}`, recall);
  await recallNamed(see(archived), undefined, recall);
  expect(asked).toEqual([run, run]);
});

test("what failed in an archived run that cannot be read is counted, and not left out silently", async () => {
  const view = await recallNamed(see(archived), `run/${run}`, async () => Promise.resolve(undefined));
  const { rows, notes = [] } = listFailures(view, `run/${run}`);
  expect(rows).toEqual([]);
  expect(notes.map(printSentence)).toEqual([
    `3 failed in run ${run}, and its record in the archive of branch meshroll/ledger was not read`,
  ]);
});
