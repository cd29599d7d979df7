import type { CampaignStatus, FleetStatus } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { listConcerning, pickOwn } from "./concerns.ts";
import type { MoveOutlook } from "./move-outlook.ts";
import type { NamespaceLine } from "./namespace-view.ts";

const run = "0123456789ab";
const other = "ba9876543210";
const line = { name: "shop", bucket: "production", clusters: ["east", "west"] } as unknown as NamespaceLine;
const campaign = { name: "istio-1-25", runs: [run] } as unknown as CampaignStatus;
const outlook: MoveOutlook = { kind: "stage", campaign };

function makeFleet(scope: string, more: object = {}): FleetStatus {
  const each = { scope, command: `meshroll resume ${scope}`, ...more };
  return { campaigns: [campaign], runs: [{ id: run }, { id: other }], waiting: [each], stops: [each] } as never;
}

const scopes: readonly { readonly name: string; readonly scope: string; readonly want: boolean }[] = [
  { name: "everything", scope: "all", want: true },
  { name: "its campaign", scope: "campaign/istio-1-25", want: true },
  { name: "another campaign", scope: "campaign/istio-1-26", want: false },
  { name: "its campaign's run", scope: `run/${run}`, want: true },
  { name: "that run in one of its clusters", scope: `run/${run}@east`, want: true },
  { name: "that run in a cluster without it", scope: `run/${run}@north`, want: false },
  { name: "another run", scope: `run/${other}`, want: false },
  { name: "its bucket", scope: "bucket/production", want: true },
  { name: "another bucket", scope: "bucket/.*-staging", want: false },
  { name: "itself", scope: "namespace/shop", want: true },
  { name: "a namespace that begins like it", scope: "namespace/shop-2", want: false },
  { name: "one of its clusters", scope: "cluster/west", want: true },
  { name: "another cluster", scope: "cluster/north", want: false },
  { name: "no scope at all", scope: "constructor", want: false },
];

describe("what holds up a namespace's move", () => {
  it.each(scopes)("a wait of $name: $want", ({ scope, want }) =>
    expect(listConcerning(makeFleet(scope), line, outlook).waits).toHaveLength(want ? 1 : 0),
  );

  it("a hold is named where no wait names its command", () => {
    const fleet = makeFleet("bucket/production");
    expect(listConcerning(fleet, line, outlook).stops).toEqual([]);
    expect(listConcerning({ ...fleet, waiting: [] }, line, outlook).stops).toHaveLength(1);
  });

  it("a pause of one cluster binds it only there", () => {
    const fleet = (foundIn: string) => ({ ...makeFleet("all", { foundIn }), waiting: [] });
    expect(listConcerning(fleet("east"), line, outlook).stops).toHaveLength(1);
    expect(listConcerning(fleet("north"), line, outlook).stops).toEqual([]);
  });

  it("without a campaign the runs of none may move it", () => {
    expect(listConcerning(makeFleet(`run/${other}`), line, { kind: "now" }).waits).toHaveLength(1);
    expect(listConcerning(makeFleet(`run/${run}`), line, { kind: "now" }).waits).toEqual([]);
  });

  it("nothing holds up what has moved", () =>
    expect(listConcerning(makeFleet("all"), line, { kind: "moved" })).toEqual({ waits: [], stops: [] }));
});

describe("the workloads of a namespace in a list", () => {
  const items = [{ workload: "east:shop/Deployment/web" }, { workload: "east:shop-2/Deployment/web" }];

  it("are those of its name alone", () =>
    expect(pickOwn("shop", { count: 2, items })).toEqual({ own: [items[0]], isCut: false }));

  it("may lack where the status has more than it lists", () =>
    expect(pickOwn("tax", { count: 3, items })).toEqual({ own: [], isCut: true }));
});
