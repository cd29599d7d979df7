import type { LedgerLine } from "#libs/events";
import { cleanLine, showUnprintable } from "#libs/input";
import type { FleetStatus, NamespaceTable, RunReport } from "#libs/plan";
import { writeText } from "#libs/wording";
import { beforeAll, describe, expect, it } from "vitest";

import { makeInstant } from "../world/campaigns/campaign-instant.ts";
import { makeHistory } from "./bed/make-history.ts";
import { makeEndedReport } from "./bed/run-reports.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

const names = [
  { name: "markup", text: '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>' },
  { name: "characters that change the direction of text", text: "\u202Egnp.exe\u2066evil\u2069" },
  { name: "253 characters without a place to break", text: "n".repeat(253) },
  { name: "a javascript: URL", text: "javascript:globalThis.hacked=1" },
];

/** A status with the text in each field of a name, a sentence or a command. */
function poison(status: FleetStatus, text: string): FleetStatus {
  const [campaign] = status.campaigns ?? [];
  const [item] = status.failures?.items ?? [];
  if (campaign === undefined || item === undefined || status.failures === undefined)
    throw new Error("nothing to poison");
  const message = writeText(text);
  const wait = {
    scope: text,
    code: text,
    message,
    owner: text,
    command: text,
    choices: [{ command: text, effect: message }],
  };
  return {
    ...status,
    failures: {
      ...status.failures,
      items: [{ ...item, workload: `east:${text}/Deployment/${text}`, message, revision: text, run: text }],
    },
    waiting: [{ ...wait }, { ...wait, scope: "all" }],
    stops: [{ id: text, scope: "all", strength: "move", cause: "verb", who: text, why: text, command: `${text}!` }],
    putBack: {
      workloads: 1,
      first: [`east:${text}team-001/Deployment/${text}`],
      message: text,
      list: text,
      command: text,
      insisting: [],
    },
    clusters: status.clusters.map((cluster, at) => (at === 0 ? { ...cluster, name: text, problems: [text] } : cluster)),
    where: status.where.map((each) => ({ ...each, bucket: text })),
    campaigns: [
      {
        ...campaign,
        name: text,
        target: text,
        replaces: [text],
        owners: [text],
        stages: campaign.stages.map((stage) => ({
          ...stage,
          name: text + stage.index,
          set: { [text]: 25 * stage.index },
          run: text,
        })),
        where: campaign.where.map((each) => ({ ...each, bucket: text })),
        waiting: [wait],
        stops: [{ id: text, scope: text, strength: "move", cause: "verb", who: text, why: text, command: text }],
        leftOut: [{ pattern: text, reason: text }],
        stop: { command: text, effect: message },
        undo: { command: text, effect: message },
        calendar: { open: false, why: message },
        next: [{ event: "Nothing", text: message, command: text }],
        gates: campaign.gates.map((gate) => ({ ...gate, name: text + gate.name, why: message })),
        pull: { stage: text, number: 1, url: text, branch: text, state: "open", headSha: text },
      },
    ],
  } as unknown as FleetStatus;
}

function poisonTable(table: NamespaceTable, text: string): NamespaceTable {
  return {
    ...table,
    revisions: table.revisions.map((revision) => revision + text),
    buckets: table.buckets.map((bucket) => ({ ...bucket, bucket: text, to: text })),
    clusters: table.clusters.map((cluster) => ({ ...cluster, name: text })),
    rows: table.rows.map(([name, ...rest]) => [text + name, ...rest] as const),
  };
}

/** Transitions that say it everywhere; each text has commits of its own. */
function poisonHistory(text: string): readonly LedgerLine[] {
  return makeHistory(text.length).map((each) => ({
    ...each,
    sentence: text,
    actor: text,
    cause: text.slice(0, 100),
    about: [text, `namespace/${text}`, `run/${text}`],
  }));
}

const poisoned = "0123456789ab";

/** The report of a run with the text in each field that a person, another program or a file wrote. */
function poisonReport(report: RunReport, text: string): RunReport {
  const { record, series } = report;
  const message = writeText(text);
  return {
    ...report,
    record: {
      ...record,
      subject: text,
      author: text,
      campaign: text,
      stage: text,
      reason: text,
      takenOverBy: text,
      rollsBack: [text],
      changes: [{ pattern: text, from: text, to: text, direction: "forward" }],
      gates: record.gates.map((gate) => ({ ...gate, name: text, why: message })),
      skipped: [{ cluster: text, workload: `${text}/Deployment/${text}`, code: text, message }],
      differences: [
        { why: "late", count: 30, items: [{ cluster: text, workload: `${text}/Deployment/x`, reason: text }] },
      ],
    },
    series: {
      ...series,
      gates: series.gates.map((line) => ({ ...line, name: text })),
      batches: series.batches.map((bar) => ({ ...bar, cluster: text })),
    },
  };
}

describe.each(names)("a name that is $name", ({ text }) => {
  beforeAll(async () =>
    bed().planner.publish(makeInstant(), {
      status: (status) => poison(status, text),
      table: (table) => poisonTable(table, text),
      raw: true,
    }),
  );

  it("is shown as plain text in the report of a run, its direction marks written out", async () => {
    await bed().planner.publishRun(poisonReport(makeEndedReport({ id: poisoned }), text), "raw");
    const page = await bed().open(`/runs/${poisoned}`, { viewport: { width: 360, height: 740 } });
    await expect.poll(() => page.locator("main").textContent()).toContain(showUnprintable(text));
    for (const folded of await page.locator("main summary").all()) await folded.click();
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    expect(await page.locator("main script, main img, main iframe").count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });

  it.each(["/", `/namespaces/${encodeURIComponent(`${text}team-001`)}`])(
    "is shown as plain text, on %s",
    async (path) => {
      const page = await bed().open(path, { viewport: { width: 360, height: 740 } });
      // The title is there before the data.
      await page.getByRole("heading", { name: path === "/" ? /^Fleet/ : "What its owner can do" }).waitFor();
      await expect.poll(() => page.locator("main").textContent()).toContain(text);
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(await page.locator("main script, main img, main iframe").count()).toBe(0);
      expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    },
  );

  it("in the ledger's history is shown as plain text, without marks that turn it", async () => {
    await bed().planner.publishHistory(poisonHistory(text), true);
    const page = await bed().open("/history", { viewport: { width: 360, height: 740 } });
    await expect.poll(() => page.locator("main").textContent()).toContain(cleanLine(text));
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    expect(await page.locator("main script, main img, main iframe").count()).toBe(0);
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
  });
});
