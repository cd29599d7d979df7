import { evaluateFleet } from "#libs/plan";
import { writeText } from "#libs/wording";
import { makeStop } from "#test/world/build";
import { type Instant, instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { listNamespaces, listWorkloads } from "./rows/get-fleet-rows.ts";
import { listClusters } from "./rows/get-cluster-rows.ts";
import { listFailures } from "./rows/get-left-rows.ts";
import { listRevisions } from "./rows/get-revision-rows.ts";
import { narrowView } from "./rows/narrow-view.ts";
import { listRuns } from "./rows/get-run-rows.ts";
import { listBatches, listCampaigns, listHolds, listStages } from "./rows/get-status-rows.ts";
import { type Listing, printListing, printNotes } from "./listing.ts";
import { listCampaignCells } from "./status/print-status.ts";
import { printTable } from "../text/table.ts";

function see(instant: Instant = {}) {
  const snapshot = makeInstant(instant);
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  return { snapshot, head, evaluation: evaluateFleet(snapshot, head) };
}

const status = statusOf(makeInstant());
const stops = {
  h: makeStop({ id: "h-31", scope: "campaign/istio-1-25", strength: "propose", who: "ana", why: "INC-9921" }),
};

/** The first rows as they look at 80 columns. */
function print(listing: Listing, count: number): readonly string[] {
  return (printListing(listing, "human", 80) ?? "").split("\n").slice(0, count);
}

describe("rows as kubectl prints them", () => {
  const cases: Readonly<Record<string, { readonly listing: Listing; readonly want: readonly string[] }>> = {
    campaigns: {
      listing: listCampaigns(status, undefined),
      want: [
        "NAME        TARGET  STAGE    N    STATE       DONE   FAILED  NEXT",
        expect.stringMatching(/^istio-1-25 {2}1-25-2 {2}prod-25 {2}5\/8 {2}InProgress {2}12\/29 {2}1 /u) as string,
      ],
    },
    stages: {
      listing: listStages(status, "istio-1-25"),
      want: [
        "NAME         CAMPAIGN    N    SET               STATE      RUN           AGE",
        "preflight    istio-1-25  1/8  istio-e2e=100%    Completed  -             -",
        "staging-25   istio-1-25  2/8  .*-staging=25%    Completed  -             -",
        "staging-100  istio-1-25  3/8  .*-staging=100%   Completed  -             -",
        "prod-5       istio-1-25  4/8  production=5%     Completed  -             -",
        "prod-25      istio-1-25  5/8  production=25%    Running    6d6572676500  101min",
        "prod-50      istio-1-25  6/8  production=50%    Next       -             -",
      ],
    },
    runs: {
      listing: listRuns(makeInstant().ledger, status, undefined),
      want: [
        "NAME          CAMPAIGN    STAGE    STATE  DONE   SKIPPED  FAILED  AGE",
        "6d6572676500  istio-1-25  prod-25  open   12/29  1        1       101min",
      ],
    },
    batches: {
      listing: listBatches(status, undefined),
      want: [
        "CLUSTER      RUN           BATCH  MOVING  FIRST",
        "prod-use1-b  6d6572676500  1/1    2       team-020/Deployment/api",
        "prod-usw2-a  6d6572676500  1/1    4       team-015/Deployment/api",
      ],
    },
    holds: {
      listing: listHolds(statusOf(makeInstant({ stops })), "istio-1-25"),
      want: ["NAME  KIND  SCOPE                WHO  CAUSE  UNTIL", "h-31  hold  campaign/istio-1-25  ana  verb   -"],
    },
    clusters: {
      listing: listClusters(status, "prod-use1-b"),
      want: [
        "NAME         MODE  SEEN  MANAGED  ROLLING  UNHEALTHY  DRIFT  ON-DESIRED",
        "prod-use1-b  act   0s    20/20    2        0          0      18/20",
      ],
    },
    namespaces: {
      listing: listNamespaces(see(), undefined),
      want: [
        "NAME      BUCKET      DESIRED  RUNNING  WORKLOADS  STATE",
        "team-004  production  1-25-2   1-24-5   1          1-differ",
      ],
    },
    workloads: {
      listing: listWorkloads(see(), "team-004"),
      want: [
        "NAME                     CLUSTER      DESIRED  RUNNING  READY  STATE",
        "team-004/Deployment/api  prod-euw1-a  1-25-2   1-24-5   2/2    pending",
      ],
    },
    failures: {
      listing: listFailures(narrowView(see(), {}), "istio-1-25"),
      want: [
        "NAME                     CLUSTER      REASON            RUN           AGE",
        "team-043/Deployment/api  prod-use1-a  ReadinessTimeout  6d6572676500  72min",
      ],
    },
    revisions: {
      listing: listRevisions(see(), undefined),
      want: [
        "NAME    NAMESPACES  WORKLOADS  PODS  CLUSTERS  STATE",
        "1-24-5  103         103        206   6         in-use",
        "1-25-2  17          17         34    6         in-use",
      ],
    },
  };
  it.each(Object.entries(cases))("get %s", (_, { listing, want }) => expect(print(listing, want.length)).toEqual(want));

  it.each(Object.entries(cases))(
    "get %s has no blank within a cell, and json has every row with its kind",
    (_, { listing }) => {
      for (const { cells } of listing.rows) for (const cell of cells) expect(cell).toMatch(/^\S+$/u);
      const json = JSON.parse(printListing(listing, "json", 80) ?? "") as { readonly items: readonly unknown[] };
      expect(json).toMatchObject({ apiVersion: "meshroll.dev/v1", kind: expect.stringMatching(/List$/u) as string });
      expect(json.items).toHaveLength(listing.rows.length);
      expect(printListing(listing, "name", 80)?.split("\n")[0]).toMatch(/^[a-z]+\/\S+$/u);
      expect(printListing(listing, "wide", 80)).toContain(listing.wideHeader[0]);
    },
  );
});

describe("an empty listing", () => {
  const none = listHolds(statusOf(makeInstant()), undefined);
  it("prints a note on stderr, or an empty list as JSON", () => {
    expect(printListing(none, "human", 80)).toBeUndefined();
    expect(JSON.parse(printListing(none, "json", 80) ?? "")).toMatchObject({ kind: "HoldList", items: [] });
  });
});

describe("the cell NEXT", () => {
  const [campaign] = status.campaigns ?? [];
  type Campaign = NonNullable<typeof campaign>;
  const closes = { event: "WindowCloses", at: "2026-11-19T17:00:00.000Z", text: writeText("") } as const;
  const batches = { event: "BatchesEnd", text: writeText("") } as const;
  const inHand = { scope: "all", code: "BatchInHand", message: writeText(""), owner: "the executor" } as const;
  const approval = { ...inHand, code: "ApprovalNeeded", command: "gh pr review 3 --approve" } as const;
  const cells: readonly { readonly name: string; readonly change: Partial<Campaign>; readonly want: string }[] = [
    {
      name: "an event today",
      change: { next: [{ event: "BakeEnds", at: closes.at, text: writeText("") }] },
      want: "bake@17:00",
    },
    {
      name: "an event on another day",
      change: { next: [{ event: "BakeEnds", at: "2026-11-21T08:00:00.000Z", text: writeText("") }] },
      want: "bake@Sat-08:00",
    },
    {
      name: "not the end of the window while batches move",
      change: { next: [batches, closes], waiting: [inHand] },
      want: "batches",
    },
    {
      name: "a wait for a person",
      change: { next: [batches, closes], waiting: [approval] },
      want: "ApprovalNeeded",
    },
    {
      name: "a wait without a next event",
      change: { next: [{ event: "Nothing", text: writeText("") }], waiting: [inHand] },
      want: "BatchInHand",
    },
  ];
  it.each(cells)("$name: $want", ({ change, want }) => {
    if (campaign === undefined) throw new Error("no campaign");
    expect(listCampaignCells({ ...campaign, stops: [], ...change }, { tz: "UTC" }).at(-1)).toBe(want);
  });
});

describe("rows of listings", () => {
  it("those that differ from main come first", () => {
    const states = listWorkloads(see(), undefined).rows.map(({ cells }) => cells.at(-1));
    expect(states.indexOf("ok")).toBeGreaterThan(states.lastIndexOf("pending"));
  });

  it("a revision whose control plane is not everywhere it is used is orphaned", () => {
    const view = see();
    const first = [...view.snapshot.clusters.values()][0];
    if (first === undefined) throw new Error("no cluster");
    const facts = { ...first.facts, revisions: first.facts.revisions.filter(({ name }) => name !== "1-24-5") };
    const clusters = new Map([...view.snapshot.clusters, [first.name, { ...first, facts }]]);
    const { rows } = listRevisions({ ...view, snapshot: { ...view.snapshot, clusters } }, "1-24-5");
    expect(rows[0]?.cells.at(-1)).toBe("orphaned");
  });

  it("the object of a failure has what it runs, as the column RUNNING", () => {
    expect(listFailures(narrowView(see(), {}), undefined).rows[0]?.item).toHaveProperty("running");
  });

  it("failures of another campaign are not listed", () => {
    expect(listFailures(narrowView(see(), {}), "istio-9").rows).toEqual([]);
    expect(listFailures(narrowView(see(), {}), `run/${instantRun}`).rows).toHaveLength(1);
  });
});

describe("a narrow terminal", () => {
  const caller = { env: {} };
  const all = "NAME        TARGET  STAGE    N    STATE       DONE   FAILED  NEXT           AGE";
  const widths: readonly { readonly columns: number; readonly want: string; readonly hidden: readonly string[] }[] = [
    { columns: 100, want: all, hidden: [] },
    { columns: 60, want: "NAME        STATE       DONE   FAILED  NEXT", hidden: ["AGE", "N", "TARGET", "STAGE"] },
    { columns: 40, want: "NAME        STATE       DONE   FAILED", hidden: ["AGE", "N", "TARGET", "STAGE", "NEXT"] },
  ];
  const listing = listCampaigns(status, undefined);
  it.each(widths)("of $columns columns shows whole columns", ({ columns, want, hidden }) => {
    const [titles = "", row = ""] = (printListing(listing, "human", columns) ?? "").split("\n");
    expect(titles).toBe(want);
    expect(row).toContain("istio-1-25");
    const note = `not shown at ${columns} columns: ${hidden.join(", ")}; -o wide has all`;
    const told = printNotes(listing, "human", caller, columns).join(" ").replaceAll(/\s+/gu, " ");
    expect(told).toBe(hidden.length === 0 ? "" : note);
  });

  it("has every column with -o wide, and titles only where they are wanted", () => {
    expect(printListing(listing, "wide", 60)?.split("\n")[0]).toMatch(/AGE +REPLACES +OWNERS +PULL$/u);
    expect(printNotes(listing, "wide", caller, 60)).toEqual([]);
    expect(printListing(listing, "human", 100, false)).toMatch(/^istio-1-25 [^\n]*\n$/u);
  });
});

describe("a table", () => {
  it("continues long cells in the next line, broken after a separator", () => {
    const rows = [["payments-internal/Deployment/api", "prod-use1-a,prod-use1-b,prod-usw2-a", "5"]];
    expect(printTable(["NAME", "CLUSTERS", "PODS"], rows, 56)).toEqual([
      "NAME                              CLUSTERS          PODS",
      "payments-internal/Deployment/api  prod-use1-a,      5",
      "                                  prod-use1-b,",
      "                                  prod-usw2-a",
    ]);
  });

  it("breaks no id; a row that cannot be narrower is wider than the terminal", () => {
    expect(printTable(["NAME", "RUN", "REASON"], [["a", "b".repeat(20), "c".repeat(20)]], 40)[1]).toBe(
      `a     ${"b".repeat(20)}  ${"c".repeat(20)}`,
    );
  });

  it("does not break lines if the width is unknown", () => {
    expect(printTable(["NAME"], [["a".repeat(500)]], Number.POSITIVE_INFINITY)[1]).toHaveLength(500);
  });
});
