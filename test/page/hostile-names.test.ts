import type { FleetStatus, NamespaceTable } from "#libs/plan";
import { writeText } from "#libs/wording";
import { beforeAll, describe, expect, it } from "vitest";

import { makeInstant } from "../world/campaigns/campaign-instant.ts";
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
    waiting: [{ ...wait }],
    clusters: status.clusters.map((cluster, at) => (at === 0 ? { ...cluster, name: text, problems: [text] } : cluster)),
    where: status.where.map((each) => ({ ...each, bucket: text })),
    campaigns: [
      {
        ...campaign,
        name: text,
        target: text,
        replaces: [text],
        owners: [text],
        stages: campaign.stages.map((stage) => ({ ...stage, name: text + stage.index, set: { [text]: 5 }, run: text })),
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

describe.each(names)("a name that is $name", ({ text }) => {
  beforeAll(async () =>
    bed().planner.publish(makeInstant(), {
      status: (status) => poison(status, text),
      table: (table) => poisonTable(table, text),
      raw: true,
    }),
  );

  it.each(["/", `/namespaces/${encodeURIComponent(`${text}team-001`)}`])(
    "is shown as plain text, on %s",
    async (path) => {
      const page = await bed().open(path, { viewport: { width: 360, height: 740 } });
      await expect.poll(() => page.locator("main").textContent()).toContain(text);
      expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
      expect(await page.locator("main script, main img, main iframe").count()).toBe(0);
      expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    },
  );
});
