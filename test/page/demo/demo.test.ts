import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

import type { FleetStatus } from "#libs/plan";

import { findFailureStop, isComplete } from "../../../sandbox/demo/story/story.ts";
import { splitWorkload } from "../../../page/model/places.ts";
import { countBytes } from "./count-bytes.ts";
import { type OpenDemo, openDemo } from "./open-demo.ts";

// The page next to the demo of `npm run demo`: its planner, executor, NATS and api, and a thousand namespaces at 60 times the pace.

let demo: OpenDemo;
beforeAll(async () => void (demo = await openDemo()));
afterAll(async () => demo.close());

/** Long enough for the whole demo on a busy machine, ms. */
const storyMs = 600_000;

/** Opens a view and waits until its sign says this. */
async function open(path: string, url = demo.url, sign = "live"): Promise<Page> {
  const page = await demo.browser.newPage({ viewport: { width: 1180, height: 1250 } });
  onTestFinished(async () => page.close());
  await page.goto(url + path);
  await page.getByRole("status").filter({ hasText: sign }).first().waitFor();
  return page;
}

/** Runs in the page: notes when each text of the progress was drawn first, epoch ms. */
const noteProgress = `(() => {
  globalThis.drawn = {};
  const note = () => {
    // The element alone: what stands before it, as the id of a run, may end with a digit.
    const found = document.querySelector("#campaigns .progress-line b")?.textContent;
    if (found) globalThis.drawn[found] ??= Date.now();
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
})()`;

/** When each count of migrated workloads was first on the bus, epoch ms. */
function listSeenAt(): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  for (const { status, seenAt } of demo.statuses) {
    const text = String(sumMigrated(status));
    if (status.runs.length > 0 && !seen.has(text)) seen.set(text, seenAt);
  }
  return seen;
}

function sumMigrated({ runs }: FleetStatus): number {
  return runs.reduce((sum, { migrated }) => sum + migrated, 0);
}

it(
  "the page is at most a second behind a reader of the bus, and takes few bytes, while the fleet moves",
  async () => {
    await demo.until((status) => status.runs.length > 0);
    const way = await countBytes(demo.url);
    onTestFinished(async () => way.close());
    const page = await open("/", way.url);
    await page.evaluate(noteProgress);
    const [began, before] = [Date.now(), way.bytes()];
    await demo.until((status) => findFailureStop(status) !== undefined);
    const seconds = (Date.now() - began) / 1000;
    const bytes = way.bytes() - before;
    const drawn = await page.evaluate<Readonly<Record<string, number>>>("globalThis.drawn");
    const seen = listSeenAt();
    const behind = Object.entries(drawn).flatMap(([text, at]) => {
      const onBus = seen.get(text);
      return onBus === undefined || onBus < began ? [] : [at - onBus];
    });
    const sorted = behind.toSorted((a, b) => a - b);
    const rate = bytes / seconds / 1000;
    process.stderr.write(
      `${sorted.length} changes of the demo were drawn ${sorted[Math.floor(sorted.length / 2)]} ms after the bus had them (median), ` +
        `${sorted[Math.floor(sorted.length * 0.9)]} ms for nine of ten; ${rate.toFixed(1)} kB/s at 60 times the pace\n`,
    );
    expect(sorted.length).toBeGreaterThan(10);
    expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThanOrEqual(1000);
  },
  storyMs,
);

/** The fleet's status as a person with a terminal reads it. */
async function readStatus(): Promise<FleetStatus> {
  return JSON.parse(await demo.cli(["status", "-o", "json"])) as FleetStatus;
}

/** The run and the namespace of the first failure. */
function findFirstFailure({ failures }: FleetStatus): { readonly run: string; readonly namespace: string } {
  const [first] = failures?.items ?? [];
  if (first?.run === undefined) throw new Error("the status has no failure of a run");
  return { run: first.run, namespace: splitWorkload(first.workload).namespace };
}

it(
  "while a stage is stopped, the page and the command line name the same failures, and each view its part",
  async () => {
    await demo.until((each) => findFailureStop(each) !== undefined);
    const page = await open("/");
    await page.getByRole("heading", { level: 1, name: "An upgrade has stopped" }).waitFor();
    const section = page.locator("#failures");
    // The demo goes on, so both are read until they are of the same moment.
    await expect
      .poll(async () => {
        const { failures } = await readStatus();
        const text = (await section.textContent()) ?? "";
        return text.includes(`Failures${failures?.count} workload`) && text.includes("istio-proxy cannot pull");
      })
      .toBe(true);
    const { run, namespace } = findFirstFailure(await readStatus());
    const views = [
      // The demo tries again what failed, so these say what stays true.
      { path: `/runs/${run}`, words: ["prod-25", "Batches over time", "restarts"] },
      { path: `/namespaces/${namespace}`, words: ["prod-25", `run ${run}`, `meshroll explain ${namespace}`] },
      { path: `/history?subject=run/${run}`, words: [`run ${run} started`, "too many failed"] },
    ];
    for (const { path, words } of views) {
      const view = await open(path);
      for (const word of words) await expect.poll(() => view.locator("main").textContent()).toContain(word);
    }
  },
  storyMs,
);

it(
  "while a group of VMs moves, the view of its namespace says how many of them were upgraded",
  async () => {
    await demo.until(({ rollouts }) =>
      rollouts.some(({ vms = [] }) => vms.some(({ workload }) => workload === "ads-index/WorkloadGroup/indexer")),
    );
    const view = await open("/namespaces/ads-index");
    const own = view.locator("#vms");
    await expect.poll(() => own.textContent()).toMatch(/of 40 VMs upgraded.*meshroll get vms ads-index\/indexer/);
  },
  storyMs,
);

it(
  "after the stage the page still shows the moment at which it was stopped, and the run that is over",
  async () => {
    const stopped = await demo.until((each) => findFailureStop(each) !== undefined);
    const run = stopped.runs.at(-1)?.id ?? "";
    const later = await demo.until(({ runs }) => runs.length > 0 && runs.every(({ id }) => id !== run));
    const then = demo.statuses.find(({ status }) => findFailureStop(status) !== undefined)?.status.at ?? later.at;
    const past = await open(`/?at=${new Date(Date.parse(then) + 60_000).toISOString()}`, demo.url, "picture of");
    await past.getByRole("heading", { level: 1, name: "An upgrade has stopped" }).waitFor();
    const ended = await open(`/runs/${run}`);
    for (const word of ["prod-25", "Batches over time", "prod-euw1-a", "done"])
      await expect.poll(() => ended.locator("main").textContent()).toContain(word);
    await demo.until(isComplete);
    expect(await demo.ended).toBe(true);
  },
  storyMs,
);
