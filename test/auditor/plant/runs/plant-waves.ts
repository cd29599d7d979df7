import type { AuditedRun, AuditedWrite, Evidence } from "../../evidence/evidence.ts";
import {
  commits,
  make,
  makeCluster,
  move,
  object,
  type PlantedCases,
  runId,
  send,
  settled,
  stop,
  web,
} from "../plant.ts";
import { campaign, own, withCampaign } from "./campaign-up.ts";

const waves = "  clusters: { order: [[one], [two]], delayBetweenWaves: 1m }\n";

/** `web` of cluster one moves at 20, and that of cluster two at this time. */
function inTwo(
  at: number,
  later: readonly AuditedWrite[] = [],
  change: Partial<AuditedRun> = {},
  settings = "",
  exclude = "",
): Evidence {
  const first = makeCluster({ writes: [move(web, 20, "new"), ...later], statuses: [settled(web, 30)] });
  const second = makeCluster({ name: "two", before: [object(web)], writes: [move(web, at, "new")] });
  const main = withCampaign(campaign(`${waves}${exclude}`)).map((each) => ({
    ...each,
    settings: `${each.settings ?? ""}\n${settings}`,
  }));
  return {
    ...make({}, { main, ledger: { stops: [], runs: [own(change)] } }),
    clusters: [first, second],
  };
}

/** Cluster two moves at this time. Later a rollback at once moves cluster one's workload back, and is resumed. */
function againAfter(at: number): Evidence {
  const evidence = inTwo(at, [move(web, 70_000, "old"), move(web, 80_000, "new")]);
  const to = { revertTo: "0".repeat(40), now: true, cause: "rollback" };
  const rollback = stop({ scope: `run/${runId}`, at: 65_000, resumedAt: 75_000, ...to });
  return { ...evidence, ledger: { stops: [rollback], runs: [own()] } };
}

/** The campaign gets its waves at this time: after both clusters were opened, or before. */
function openedWithout(since: number): Evidence {
  const evidence = inTwo(25, [], { clusters: { one: 12, two: 12 } });
  const [base, merged = base] = commits;
  if (base === undefined || merged === undefined) throw new Error("bug: no commits");
  const without = commits.map((each) => ({ ...each, campaigns: { "campaigns/up.yml": campaign("") } }));
  const withWaves = { ...merged, sha: "9".repeat(40), at: since, campaigns: { "campaigns/up.yml": campaign(waves) } };
  return { ...evidence, main: [...without, withWaves] };
}

/** Main excludes cluster one, and includes it again at 14, before anything moved; cluster two was opened at this time. */
function openedNextTo(opened: number): Evidence {
  const evidence = inTwo(15, [], { clusters: { one: 11, two: opened } });
  const out = { sha: "8".repeat(40), at: 12, settings: "clusters: { one: { excluded: true } }" };
  const again = { sha: "9".repeat(40), at: 14 };
  const asMerged = (change: typeof out | typeof again) =>
    evidence.main.slice(-1).map((each) => ({ ...each, ...change }));
  return { ...evidence, main: [...evidence.main, ...asMerged(out), ...asMerged(again)] };
}

const failure: Readonly<Record<string, string>> = {
  "meshroll.dev/failed": "new ReadinessTimeout 2026-01-01T00:00:00Z",
};

/**
 * `web` of cluster one failed at 25, and its undo settles at 30; cluster two moves at this time. The run's end names nothing.
 */
function failedBefore(at: number, mark = failure, more: readonly AuditedWrite[] = []): Evidence {
  const annotations = { "meshroll.dev/previous": null, ...mark };
  const spec = { template: { metadata: { labels: { "istio.io/rev": "old" } } } };
  return inTwo(at, [...more, send(web, 25, { metadata: { resourceVersion: "1", annotations }, spec })]);
}

const shop = "/api/v1/namespaces/shop";
const restartedFor = (revision: string | null) => ({
  template: { metadata: { annotations: { "meshroll.dev/restarted-for": revision } } },
});

/**
 * Namespace `shop` of cluster one gets the label and `web` is restarted; at 25 the namespace is marked as failed, at 28 `web`
 * is undone.
 */
function failedAsOne(at: number, mark = failure): Evidence {
  const evidence = inTwo(at);
  const label = (revision: string, annotations: Readonly<Record<string, string | null>>) => ({
    metadata: { resourceVersion: "1", labels: { "istio.io/rev": revision }, annotations },
  });
  const move = (previous: object) => ({
    "meshroll.dev/run": `${runId} new`,
    "meshroll.dev/previous": JSON.stringify(previous),
  });
  const previous = { template: { annotations: { "meshroll.dev/restarted-for": null } } };
  const restart = { metadata: { resourceVersion: "1", annotations: move(previous) }, spec: restartedFor("new") };
  const back = {
    metadata: { resourceVersion: "1", annotations: { "meshroll.dev/previous": null } },
    spec: restartedFor(null),
  };
  const first = makeCluster({
    before: [object(shop, {}, { labels: { "istio.io/rev": "old" } }), object(web, {})],
    writes: [
      send(shop, 19, label("new", move({ labels: { "istio.io/rev": "old" } }))),
      send(web, 20, restart),
      send(shop, 25, label("old", { "meshroll.dev/previous": null, ...mark })),
      send(web, 28, back),
    ],
    statuses: [settled(web, 30)],
  });
  return { ...evidence, clusters: [first, ...evidence.clusters.slice(1)] };
}

/** Cluster two moves at 60,030 and a third, which no order names, right after it. */
function withThird(expected: readonly string[]): Evidence {
  const third = makeCluster({ name: "three", before: [object(web)], writes: [move(web, 60_031, "new")] });
  const evidence = inTwo(60_030, [], { expected });
  return { ...evidence, clusters: [...evidence.clusters, third] };
}

/** The order of a run's clusters, and the delay between waves. */
export const waveCases: PlantedCases = {
  "the next wave a minute after the one before": { evidence: inTwo(60_030), want: [] },
  "the next wave before its delay is over": { evidence: inTwo(60_029), want: ["wavesInOrder"] },
  "the next wave while the one before still rolls": { evidence: inTwo(25), want: ["wavesInOrder"] },
  "the next wave before the one before has begun": { evidence: inTwo(15), want: ["wavesInOrder"] },
  "the next wave a minute after the last of the one before was marked as failed": {
    evidence: failedBefore(60_025),
    want: [],
  },
  "the next wave sooner than that": { evidence: failedBefore(60_024), want: ["wavesInOrder"] },
  "the next wave a minute after the last of the one before was undone without a failure annotation": {
    evidence: failedBefore(60_025, {}),
    want: ["wavesInOrder"],
  },
  "the next wave a minute after another manager marked it as failed": {
    evidence: failedBefore(60_025, {}, [
      send(web, 24, { metadata: { annotations: failure } }, { user: "owner", fieldManager: "kubectl-edit" }),
    ]),
    want: ["wavesInOrder"],
  },
  "the next wave a minute after a namespace of the one before was marked as failed": {
    evidence: failedAsOne(60_025),
    want: [],
  },
  "the next wave sooner than a minute after a namespace was marked as failed": {
    evidence: failedAsOne(60_024),
    want: ["wavesInOrder"],
  },
  "a workload of the first wave again, after a rollback at once put it back": {
    evidence: againAfter(60_030),
    want: [],
  },
  "the same where the next wave had begun too soon the first time": {
    evidence: againAfter(40),
    want: ["wavesInOrder"],
  },
  "the next wave while main excludes the one before": {
    evidence: inTwo(15, [], {}, "clusters: { one: { excluded: true } }"),
    want: [],
  },
  "a wave that was opened while main excluded the one before, and moves after main included it again": {
    evidence: openedNextTo(13),
    want: [],
  },
  "a wave that was opened after main had included the one before again": {
    evidence: openedNextTo(15),
    want: ["wavesInOrder"],
  },
  "a cluster that was opened before main had waves": { evidence: openedWithout(13), want: [] },
  "a cluster that was opened when main had waves already": { evidence: openedWithout(11), want: ["wavesInOrder"] },
  "the next wave while the campaign excludes a namespace of the one before": {
    evidence: inTwo(15, [], {}, "", '  exclude: [{ pattern: "sh.p", until: 1970-01-01T00:00:16Z }]\n'),
    want: [],
  },
  "the next wave after it included that namespace again": {
    evidence: inTwo(15, [], {}, "", '  exclude: [{ pattern: "sh.p", until: 1969-01-01T00:00:00Z }]\n'),
    want: ["wavesInOrder"],
  },
  "a cluster that came after the run began belongs to the last known wave": {
    evidence: withThird(["one", "two"]),
    want: [],
  },
  "a cluster that was there and that the order does not name comes after all others": {
    evidence: withThird(["one", "two", "three"]),
    want: ["wavesInOrder"],
  },
};
