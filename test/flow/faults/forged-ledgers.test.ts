import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, written } from "../shop.ts";

const names = ["a", "b", "c", "d"];
const nowhere = "f".repeat(40);

/** A commit of another on top of the ledger. */
function scm(flow: FleetFlow, path: string, record: object): void {
  const files = { [path]: `${JSON.stringify({ version: 1, ...record })}\n` };
  flow.remote.commitTo("meshroll/ledger", { files, message: "forged", author: "eve", at: flow.clock.now() });
}

/** A record of one line in the archive, or of a file. */
function makeRun(more: object): object {
  const startedAt = "2026-01-01T00:00:00.000Z";
  const text = { startedAt, author: "eve", subject: "forged" };
  return {
    id: nowhere.slice(0, 12),
    commit: nowhere,
    order: 1,
    ...text,
    buckets: ["production"],
    changes: [],
    ...more,
  };
}

interface Forgery {
  readonly name: string;
  readonly play: (flow: FleetFlow, main: string) => void;
}

const forgeries: readonly Forgery[] = [
  { name: "a record that is none", play: (flow) => scm(flow, "runs/x.json", {}) },
  {
    name: "an open run among those of the archive",
    play: (flow, before) => scm(flow, "past/runs/2026-01/01.jsonl", makeRun({ before, state: "open" })),
  },
  {
    name: "a stop among those of the archive that was not ended",
    play: (flow) => {
      const at = "2026-01-01T00:00:00.000Z";
      scm(flow, "past/stops/2026-01/01.jsonl", {
        id: "x",
        scope: "all",
        strength: "move",
        at,
        who: "eve",
        cause: "verb",
      });
    },
  },
];

async function openHalfway(): Promise<FleetFlow> {
  const flow = await openShop({ names });
  flow.whenMerged(file(50));
  await flow.untilRunsEnd(1);
  return flow.pass(5000);
}

async function listCodes(flow: FleetFlow): Promise<readonly string[]> {
  return ((await flow.status())?.waitingFor ?? []).map(({ code }) => code);
}

test.each(forgeries)(
  "a forged ledger with $name moves nothing, and status names it within a minute",
  async ({ play }) => {
    const flow = await openHalfway();
    const moved = written(flow).length;
    play(flow, flow.remote.head("main") ?? "");
    flow.whenMerged(file(100));
    await flow.pass(60_000);
    expect(await listCodes(flow)).toContain("LedgerUnreadable");
    expect(written(flow)).toHaveLength(moved);

    // A planner that was started since knows nothing else, and says it too.
    await flow.killPlanner();
    await flow.startPlanner().pass(60_000);
    expect(await listCodes(flow)).toContain("LedgerUnreadable");
    expect(written(flow)).toHaveLength(moved);
    await flow.killPlanner();
    await flow.killExecutor();
  },
);

test("a ledger that was forged and put right again is no wait any more, and all go on", async () => {
  const flow = await openHalfway();
  scm(flow, "runs/x.json", {});
  flow.whenMerged(file(100));
  await flow.pass(60_000);
  flow.remote.commitTo("meshroll/ledger", {
    files: { "runs/x.json": null },
    message: "put right",
    at: flow.clock.now(),
  });
  await flow.untilRunsEnd(2);
  expect(await listCodes(flow)).not.toContain("LedgerUnreadable");
  expect(countOn(flow, "new", names)).toBe(4);
  // The auditor keeps every run that the ledger ever named.
  await flow.end([/^evidenceIsWhole: .*the ledger has this run, and the git server never saw its commit on main$/u]);
});
