import {
  applyChange,
  archiveEnded,
  type ArchiveLimits,
  compileSpec,
  decide,
  type Decision,
  describeFleet,
  evaluateFleet,
  isLedgerDecision,
} from "#libs/plan";
import { testInstallation } from "#libs/input";
import type { VerbRequest, ClusterSnapshot, LedgerState, Spec, SpecPoint, Snapshot } from "#libs/plan";
import type { Workload } from "#libs/fleet";
import fc from "fast-check";
import { expect, test } from "vitest";

import { recall, showLeft, withWhole } from "./archive-shown.ts";
import { makeMigrated, failed, makeCluster, makeLedger, makeWorkload, noon, sha } from "./build.ts";

/** The strictest limits: ended records are archived as soon as possible. */
const eager: ArchiveLimits = { newestRuns: 1, runsOfCampaign: 1, fewest: 1, most: 1000 };

const patterns = ["production", "shop-.*", "pay-.*"] as const;
const shares = [0, 25, 100] as const;
const campaign = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: up }
spec:
  target: new
  replaces: [old]
  stages:
    - { name: some, set: { production: 25 } }
    - { name: all, set: { production: 100 } }
`;

/** The next step of a history. */
type Step =
  | { readonly kind: "merge"; readonly pattern: number; readonly share: number; readonly isCampaign: boolean }
  | { readonly kind: "request"; readonly verb: VerbRequest["verb"]; readonly run: number; readonly now: boolean }
  | { readonly kind: "fail"; readonly workload: number }
  /** The workload's pods disappear, or return. */
  | { readonly kind: "sicken"; readonly workload: number }
  /** The bus loses a cluster, or gets it again. */
  | { readonly kind: "away"; readonly cluster: number };

const verbs = ["stop", "resume", "retry", "rollback"] as const;
const merge = fc.record({
  kind: fc.constant("merge" as const),
  pattern: fc.nat(patterns.length - 1),
  share: fc.nat(shares.length - 1),
  isCampaign: fc.boolean(),
});
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: merge },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("request" as const),
      verb: fc.constantFrom(...verbs),
      // Counted from the newest run.
      run: fc.oneof(fc.nat(1), fc.nat(9)),
      now: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), workload: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("sicken" as const), workload: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("away" as const), cluster: fc.nat(1) }) },
);

const names = ["shop-a/web", "pay-a/web", "ads-a/web", "ads-b/web"];

const clusterNames = ["one", "two"];

function listWorkloads(cluster: ClusterSnapshot | undefined): readonly Workload[] {
  return [...(cluster?.namespaces.values() ?? [])].flatMap(({ workloads }) => workloads);
}

/** A fleet and its ledger, driven by `decide`; at each reconcile the decisions on the ledger with an archive are compared. */
class History {
  readonly specs = new Map<string, Spec>();
  readonly commits: string[] = [];
  readonly given = new Map<string, number>(patterns.map((pattern) => [pattern, 0]));
  clusters = new Map<string, ClusterSnapshot>();
  ledger: LedgerState;
  requests: VerbRequest[] = [];
  now = noon;
  readonly away = new Set<string>();
  /** Workloads whose next move fails. */
  readonly broken = new Set<string>();
  compared = 0;
  archived = 0;

  constructor() {
    this.merge(0, 0, false);
    const base = this.commits[0] ?? "";
    this.ledger = makeLedger({
      main: base,
      judged: base,
      baseline: { commit: base, at: "2026-11-19T11:00:00.000Z", by: "ana", installation: testInstallation },
    });
    for (const name of clusterNames)
      this.clusters.set(
        name,
        makeCluster(
          name,
          names.map((each) => makeWorkload(each)),
        ),
      );
  }

  merge(pattern: number, share: number, isCampaign: boolean): void {
    this.given.set(patterns[pattern] ?? "production", shares[share] ?? 0);
    const commit = sha(`commit-${String(this.commits.length).padStart(3, "0")}`)
      .slice(14)
      .padEnd(40, "0");
    const text = [...this.given].map(([name, to]) => `"${name}": { old: ${100 - to}, new: ${to} }\n`).join("");
    const files = isCampaign ? { "campaigns/up.yml": campaign } : {};
    const settings = "defaults: { batch: { delayBetweenBatches: 0s }, gates: [] }\n";
    const compiled = compileSpec(commit, text, settings, files);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
    this.specs.set(commit, compiled.spec);
    this.commits.push(commit);
  }

  request(verb: VerbRequest["verb"], index: number, now: boolean): void {
    const runs = Object.values(this.ledger.runs).toSorted((a, b) => b.order - a.order);
    const run = runs[index % Math.max(1, runs.length)];
    const scope =
      run === undefined || (verb !== "retry" && verb !== "rollback" && now) ? "all" : (`run/${run.id}` as const);
    if (scope === "all" && (verb === "retry" || verb === "rollback")) return;
    const at = new Date(this.now).toISOString();
    const request: VerbRequest = {
      id: `${verb}-${this.now}`,
      verb,
      scope,
      strength: "move",
      who: "ana",
      why: "looked",
      at,
    };
    this.requests.push(verb === "rollback" && now ? { ...request, now: true } : request);
  }

  sicken(name: string): void {
    for (const [cluster, snapshot] of this.clusters) {
      const after = listWorkloads(snapshot).map((each) => {
        if (`${each.namespace}/${each.name}` !== name) return each;
        return { ...each, available: each.available === 0 ? each.replicas : 0 };
      });
      this.clusters = new Map(this.clusters).set(cluster, makeCluster(cluster, after));
    }
  }

  forget(name: string): void {
    if (!this.away.delete(name)) this.away.add(name);
  }

  take(step: Step): void {
    switch (step.kind) {
      case "merge":
        return this.merge(step.pattern, step.share, step.isCampaign);
      case "request":
        return this.request(step.verb, step.run, step.now);
      case "fail":
        return void this.broken.add(names[step.workload] ?? "");
      case "sicken":
        return this.sicken(names[step.workload] ?? "");
      case "away":
        return this.forget(clusterNames[step.cluster] ?? "");
    }
  }

  play(step: Step): void {
    this.now += 60_000;
    this.take(step);
    for (let round = 0; round < 60; round += 1) if (!this.reconcile()) return;
    throw new Error("the history does not settle");
  }

  snapshot(ledger: LedgerState): Snapshot {
    const head = this.commits.at(-1) ?? "";
    const points = this.commits.slice(this.commits.indexOf(ledger.judged) + 1).map((commit): SpecPoint => {
      const facts = { sha: commit, author: "ana", at: this.now, subject: "change" };
      return { commit: facts, spec: this.specs.get(commit) as Spec };
    });
    const main = { head, ageMs: 0, contained: true, vanished: [], points };
    const { specs, requests, now } = this;
    const clusters = new Map([...this.clusters].filter(([name]) => !this.away.has(name)));
    return { now, main, ledger, specs, clusters, requests, waitingSince: new Map(), queueUp: true };
  }

  /** Compares one reconcile's decisions, then carries them out; returns whether there is more to do. */
  reconcile(): boolean {
    const snapshot = this.snapshot(this.ledger);
    const decisions = decide(snapshot);
    this.compare(snapshot, decisions);
    const [first] = decisions;
    if (first !== undefined && isLedgerDecision(first)) {
      this.ledger = applyChange(this.ledger, first.change);
      return true;
    }
    const batches = decisions.flatMap((each) => (each.kind === "handOut" ? [each.batch] : []));
    for (const { cluster, run, items } of batches) {
      const before = this.clusters.get(cluster);
      const targets = new Map(items.map((item) => [`${item.namespace}/${item.name}`, item.target]));
      const after = listWorkloads(before).map((each) => {
        const name = `${each.namespace}/${each.name}`;
        const target = targets.get(name);
        if (target === undefined) return each;
        return this.broken.delete(name) ? failed(each, target, run) : makeMigrated(each, target, run);
      });
      this.clusters = new Map(this.clusters).set(cluster, makeCluster(cluster, after));
    }
    return batches.length > 0;
  }

  compare(snapshot: Snapshot, decisions: readonly Decision[]): void {
    const head = this.specs.get(snapshot.main.head) as Spec;
    const archiving = archiveEnded(snapshot, this.ledger, head, eager);
    if (archiving === undefined) return;
    const moved = applyChange(this.ledger, archiving.change);
    const { main, sequence, requests } = this.ledger;
    const ledger = recall({ ...moved, main, sequence, requests }, this.ledger, this.requests);
    const archived = { ...snapshot, ledger };
    this.compared += 1;
    this.archived = Math.max(
      this.archived,
      Object.values(moved.runs).filter((run) => run.archived !== undefined).length,
    );
    const got = decide(archived).map((each) => withWhole(showLeft(each, ledger), this.ledger));
    expect(got).toEqual(decisions.map((each) => showLeft(each, this.ledger)));
    expect(describe(archived, head, decisions)).toEqual(describe(snapshot, head, decisions));
  }
}

function describe(snapshot: Snapshot, head: Spec, decisions: readonly Decision[]) {
  const { judged, views } = evaluateFleet(snapshot, head);
  return describeFleet(snapshot, head, judged, views, decisions);
}

test("8.1 decisions and messages with an archive equal those with every record whole", () => {
  let [compared, archived] = [0, 0];
  fc.assert(
    fc.property(fc.array(steps, { minLength: 8, maxLength: 18 }), (story) => {
      const history = new History();
      for (const step of story) history.play(step);
      compared += history.compared;
      archived = Math.max(archived, history.archived);
    }),
    { numRuns: 100, seed: 14 },
  );
  // Enough reconciles had an archive, so that the comparison proves something.
  expect(compared).toBeGreaterThan(300);
  expect(archived).toBeGreaterThan(3);
});
