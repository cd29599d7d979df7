import { compileSpec } from "#libs/plan";
import { expect, test } from "vitest";

import { openStages, type StageFlow } from "../campaign/stage-bench.ts";
import { campaignOf } from "../campaign/stage-campaign.ts";
import { file, refOf } from "../shop.ts";
import { readScreens, type Screens } from "./incident-screens.ts";

const names = ["a", "b", "c", "d", "e", "f"];
const half = "meshroll/shop/half";
const batch = "batchSize: 1, delayBetweenBatches: 10s, readinessTimeout: 1m, failurePolicy: FailFast";
const settings = `  defaults: { batch: { ${batch} } }\n`;

/** The shops that the first stage moves, in the order of their names. */
function listMovers(): readonly string[] {
  const compiled = compileSpec("head", file(50), undefined);
  if (!compiled.ok) throw new Error("the file does not parse");
  return names.filter((name) => compiled.spec.resolver.resolve(`shop-${name}`).revision === "new");
}

interface Incident {
  readonly bench: StageFlow;
  readonly run: string;
  /** The shop whose new pods crash. */
  readonly broken: string;
  readonly fix: () => void;
  /** How many workloads the run has. */
  readonly workloads: number;
  readonly read: () => Promise<Screens>;
}

/** The first stage is merged; the second of its workloads crashes on the new revision, and its failure stops the run. */
async function openIncident(): Promise<Incident> {
  const movers = listMovers();
  const broken = movers[1] ?? "";
  const bench = await openStages(campaignOf(settings));
  const { flow } = bench;
  const fix = flow.model("one").breakWorkload(refOf(broken), { how: "crash", whenRevision: "new" });
  const run = await bench.approve(half);
  await flow.until(
    "its failure stops the run",
    async () => (await flow.status())?.stops.some(({ cause }) => cause === "failures") === true,
  );
  await flow.pass(60_000);
  return { bench, run, broken, fix, workloads: movers.length, read: async () => readScreens(flow, run) };
}

/** Each of these in that order. */
function expectInOrder(text: string, parts: readonly string[]): void {
  const places = parts.map((part) => {
    expect(text).toContain(part);
    return text.indexOf(part);
  });
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

test("an incident, looked at: every screen says what failed, why, what stopped and what to type, with the same numbers", async () => {
  const { bench, run, broken, workloads, read } = await openIncident();
  const screens = await read();
  const choices = [`get failures run/${run}`, `retry run/${run}`, `rollback run/${run}`, `resume run/${run}`];

  for (const text of [screens.campaign, screens.status]) {
    expectInOrder(
      text,
      choices.map((each) => `meshroll ${each}`),
    );
    expect(text.split(`meshroll resume run/${run}`)).toHaveLength(2);
    expect(text).not.toContain("waiting nothing");
    expect(text).toContain("next nothing until");
  }
  expect(screens.status).toContain("1-stop");
  expect(screens.runs).toContain(`open 1/${workloads} 1 1`);
  expect(screens.describe).toContain(`Done: 1/${workloads} Skipped: 1 Failed: 1`);
  expect(screens.campaign).toContain("1 workload failed, in 1 namespace; 1 new failure (limit 0)");
  // What its pods said, on each screen that names it.
  for (const text of [screens.campaign, screens.status, screens.describe, screens.failures]) {
    expect(text).toContain(`shop-${broken}/Deployment/web`);
    expect(text).toMatch(/(?:ReadinessTimeout|ProgressDeadlineExceeded): \S+ (?:exited|is not ready)/u);
  }
  await bench.flow.end();
});

test("fixed and retried the run goes to its end, and no screen names the failure any more", async () => {
  const { bench, run, fix, workloads, read } = await openIncident();
  const { flow } = bench;
  fix();
  await flow.whenAsked({ verb: "retry", scope: `run/${run}`, why: "the image is there again" });
  await flow.untilRunsEnd(1);
  await flow.pass(60_000);
  const screens = await read();

  expect(screens.runs).toContain(`done ${workloads}/${workloads} 0 0`);
  expect(screens.describe).toContain(`Done: ${workloads}/${workloads}`);
  expect(screens.failures.trim()).toBe("");
  for (const text of [screens.status, screens.campaign]) expect(text).not.toContain("failed, in");
  await flow.end();
});

test("rolled back, the run keeps what it did, its hold says which run, by which and why, and unhold brings the stage again", async () => {
  const { bench, run, broken, fix, workloads, read } = await openIncident();
  const { flow } = bench;
  const request = { verb: "rollback", scope: `run/${run}`, who: "ana", why: "bad proxies" } as const;
  await flow.whenAsked(request);
  const runs = await flow.untilRunsEnd(2);
  await flow.pass(60_000);
  const by = runs.at(-1)?.id ?? "";
  const screens = await read();
  const told = `run ${run} was rolled back by run ${by}: bad proxies`;

  expect(screens.runs).toContain(`rolled-back 1/${workloads} 1 1`);
  expect(screens.runs).toContain(by);
  expect(screens.describe).toContain(`Done: 1/${workloads} Skipped: 1 Failed: 1`);
  expect(screens.describe).toContain(`Rolled back by: ${by}`);
  expect(screens.failures).toContain(`shop-${broken}/Deployment/web`);
  expect(screens.failures).toContain(`1 of them as recorded before run ${by} rolled the run back`);
  for (const text of [screens.status, screens.campaign]) expect(text).toContain(told);
  for (const text of Object.values(screens)) expect(text).not.toMatch(/waiting nothing|rolled back by run \w+: Merge/u);
  expect(screens.holds).toContain('meshroll unhold bucket/production --reason "…"');

  const asked = { id: "retry-1", verb: "retry", scope: `run/${run}`, who: "ana", why: "x" } as const;
  await flow.whenAsked(asked);
  await flow.pass(30_000);
  expect((await flow.ledger())?.requests["retry-1"]?.answer).toContain(`run ${run} was rolled back by run ${by}`);

  fix();
  await flow.whenAsked({ verb: "resume", scope: "bucket/production", who: "ana", why: "fixed" });
  expect((await bench.untilOpen(`${half}-2`)).state).toBe("open");
  await flow.end();
});
