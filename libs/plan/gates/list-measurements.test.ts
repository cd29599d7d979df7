import { writeText } from "#libs/wording";
import { compileSpec, type Spec, evaluateFleet, type Snapshot } from "#libs/plan";
import { makeMigrated, makeCluster, makeSpec, makeWorkload, noon, runId, sha } from "#test/world/build";
import { makeCampaign, withCampaign } from "#test/world/campaigns/campaign";
import {
  gates,
  isoAt,
  resumedByAna,
  makeGateStop,
  makeGateSnapshot,
  type GateSnapshot,
} from "#test/world/campaigns/gates";
import { describe, expect, it, test } from "vitest";

import { listMeasurements } from "./list-measurements.ts";

const asked = 'e{ns=~"${namespaces}",rev=~"${revision}"}[${window}]';
const compared = gates.prometheus({ query: asked, maxRatioToBaseline: 2 });
const [a, b] = [makeWorkload("shop-a/web"), makeWorkload("shop-b/web")];
const migrated = makeMigrated(a, "new", runId);

function list(snapshot: Snapshot) {
  const head = snapshot.specs.get(sha("head"));
  return head === undefined ? [] : listMeasurements(snapshot, head, evaluateFleet(snapshot, head).views);
}

function fill(change: Partial<GateSnapshot>, edit = (snapshot: Snapshot): Snapshot => snapshot) {
  const snapshot = makeGateSnapshot({ gate: compared, clusters: [makeCluster("one", [migrated, b])], ...change });
  return list(edit(snapshot)).map((each) => each.fill());
}

describe("listMeasurements", () => {
  it("queries the namespaces that moved, and compares with those that have not", () => {
    expect(fill({})).toEqual([
      { query: 'e{ns=~"shop-a",rev=~"new"}[1m]', baselineQuery: 'e{ns=~"shop-b",rev=~"old"}[1m]' },
    ]);
  });

  it("a namespace counts as moved if one of its workloads moved", () => {
    const clusters = [makeCluster("one", [migrated, makeWorkload("shop-a/db"), b])];
    expect(fill({ clusters })[0]?.baselineQuery).toBe('e{ns=~"shop-b",rev=~"old"}[1m]');
  });

  it("at 50 % it compares with the namespaces that stay", () => {
    const head = sha("head");
    const half = makeSpec(head, 50);
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"].map((letter) => `shop-${letter}`);
    const stay = names.filter((name) => half.resolver.resolve(name).revision === "old");
    const clusters = [
      makeCluster(
        "one",
        names.map((name) =>
          stay.includes(name) ? makeWorkload(`${name}/web`) : makeMigrated(makeWorkload(`${name}/web`), "new", runId),
        ),
      ),
    ];
    const filled = fill({ clusters }, (snapshot) => {
      const campaign = snapshot.specs.get(head)?.campaigns.get("up") ?? makeCampaign();
      return { ...snapshot, specs: new Map(snapshot.specs).set(head, withCampaign(half, campaign)) };
    });
    expect(stay.length).toBeGreaterThan(0);
    expect(filled[0]?.baselineQuery).toBe(`e{ns=~"${stay.join("|")}",rev=~"old"}[1m]`);
  });

  it("compares with no workload of another bucket, of another revision, or that meshroll does not manage", () => {
    const head = sha("head");
    const text = "production:\n  old: 40\n  new: 40\n  own: 20\npayments-.*:\n  old: 100\n";
    const compiled = compileSpec(head, text, undefined);
    if (!compiled.ok) throw new Error("the file does not parse");
    const { resolver } = compiled.spec;
    const names = Array.from({ length: 16 }, (_, index) => `shop-${String.fromCodePoint(97 + index)}`);
    const by = (revision: string) => names.filter((name) => resolver.resolve(name).revision === revision);
    const stay = [...by("old"), ...by("own"), "payments-a", "kube-system"].map((name) => makeWorkload(`${name}/web`));
    const moved = by("new").map((name) => makeMigrated(makeWorkload(`${name}/web`), "new", runId));
    const filled = fill({ clusters: [makeCluster("one", [...stay, ...moved])] }, (snapshot) => {
      const campaign = snapshot.specs.get(head)?.campaigns.get("up") ?? makeCampaign();
      return { ...snapshot, specs: new Map(snapshot.specs).set(head, withCampaign(compiled.spec, campaign)) };
    });
    expect(by("own").length).toBeGreaterThan(0);
    expect(filled[0]?.baselineQuery).toBe(`e{ns=~"${by("old").join("|")}",rev=~"old"}[1m]`);
  });

  it("before the first move it queries all namespaces that will move, without a baseline", () => {
    const gate = { ...compared, when: "before" as const };
    expect(fill({ gate, clusters: [makeCluster("one", [a, b])], run: { clusters: {} } })).toEqual([
      { query: 'e{ns=~"shop-a|shop-b",rev=~"new"}[1m]' },
    ]);
  });

  it("without maxRatioToBaseline there is no baseline", () => {
    expect(fill({ gate: gates.prometheus({ query: asked }) })[0]).not.toHaveProperty("baselineQuery");
  });

  it("after the bake the window is the bake", () => {
    const bake = 86_400_000;
    const saved = { beganAt: isoAt(-bake), neededMs: bake, healthyMs: bake, savedAt: isoAt(0) };
    const gate = gates.prometheus({ query: "e[${window}]", when: "after" });
    const clusters = [makeCluster("one", [migrated])];
    expect(fill({ gate, bake, clusters, run: { bake: saved } })).toEqual([{ query: "e[1d]" }]);
    expect(fill({ gate, bake, clusters, run: { bake: { ...saved, healthyMs: bake - 1 } } })).toEqual([]);
  });

  const stop = makeGateStop();
  const closed = { verdict: "pass" as const, at: isoAt(0), why: writeText("") };
  const going = { changes: [{ pattern: "production", from: "x", to: "y", direction: "rollback" as const }] };
  test.each([
    { name: "during the run, before a workload moved", change: { clusters: [makeCluster("one", [a, b])] }, want: 0 },
    {
      name: "before the run, after the gate has passed",
      change: { gate: gates.prometheus({ when: "before" }), run: { clusters: {}, gates: { g: closed } } },
      want: 0,
    },
    {
      name: "before the run, if no workload is left to move",
      change: {
        gate: gates.prometheus({ when: "before" }),
        run: { clusters: {} },
        clusters: [makeCluster("one", [migrated])],
      },
      want: 0,
    },
    {
      name: "in a run that the gate stopped",
      change: { ledger: { stops: { [stop.id]: stop } } },
      want: 0,
      keepRuns: true,
    },
    { name: "in a rollback", change: { run: going }, want: 0 },
    { name: "for a gate without a query", change: { gate: gates.restartHealth() }, want: 0 },
  ] as const)("$name: $want", ({ change, want, ...rest }) => {
    const snapshot = makeGateSnapshot({ gate: compared, clusters: [makeCluster("one", [migrated, b])], ...change });
    const plain = makeGateSnapshot({ gate: compared, clusters: [makeCluster("one", [migrated, b])] });
    const ledger = snapshot.ledger === undefined ? undefined : { ...snapshot.ledger, runs: plain.ledger?.runs ?? {} };
    expect(list("keepRuns" in rest ? { ...snapshot, ledger } : snapshot)).toHaveLength(want);
  });

  it("a query without a placeholder has no baseline, because it would be the same query", () => {
    expect(fill({ gate: gates.prometheus({ query: "errors", maxRatioToBaseline: 2 }) })).toEqual([{ query: "errors" }]);
  });

  it("during the run the window is the time since the last measurement, not the bake", () => {
    expect(fill({ gate: gates.prometheus({ query: "e[${window}]" }), bake: 86_400_000 })).toEqual([{ query: "e[1m]" }]);
  });

  it("another run's stop for a gate of the same name does not count", () => {
    const snapshot = makeGateSnapshot({ gate: compared, clusters: [makeCluster("one", [migrated, b])] });
    const other = { ...stop, scope: "run/aaaaaaaaaaaa" as const };
    const pause = { ...stop, id: "p", cause: "verb" as const };
    const ledger = snapshot.ledger && { ...snapshot.ledger, stops: { [other.id]: other, [pause.id]: pause } };
    expect(list({ ...snapshot, ledger })).toHaveLength(1);
  });

  it("after a resume the gate is measured again, from the resume on", () => {
    const resumed = { ...stop, resume: resumedByAna };
    const snapshot = makeGateSnapshot({ gate: compared, clusters: [makeCluster("one", [migrated, b])] });
    const ledger = snapshot.ledger === undefined ? undefined : { ...snapshot.ledger, stops: { [stop.id]: resumed } };
    expect(list({ ...snapshot, ledger })).toMatchObject([{ since: noon - 300_000 }]);
    const second = makeGateStop({ id: "again", at: isoAt(-120_000), resume: { ...resumedByAna, at: isoAt(-60_000) } });
    const twice = snapshot.ledger && { ...snapshot.ledger, stops: { [resumed.id]: resumed, [second.id]: second } };
    expect(list({ ...snapshot, ledger: twice })).toMatchObject([{ since: noon - 60_000 }]);
    const turned = snapshot.ledger && { ...snapshot.ledger, stops: { [second.id]: second, [resumed.id]: resumed } };
    expect(list({ ...snapshot, ledger: turned })).toMatchObject([{ since: noon - 60_000 }]);
    expect(list(snapshot)).toMatchObject([{ key: `${runId}/g`, since: Number.NEGATIVE_INFINITY, interval: 60_000 }]);
  });

  it("1.4 a person's run has the gates of meshroll.yml, for the revisions that its commit changed", () => {
    const [base, head] = [sha("base"), sha("head")];
    /** A third revision keeps its share: it is neither brought nor replaced. */
    const specOf = (commit: string, old: number): Spec => {
      const text = `production:\n  old: ${old}\n  new: ${98 - old}\n  own: 2\n`;
      const compiled = compileSpec(commit, text, undefined);
      if (!compiled.ok) throw new Error("the file does not parse");
      return { ...compiled.spec, settings: { ...compiled.spec.settings, gates: [compared] } };
    };
    const changes = [{ pattern: "production", from: "x", to: "y", direction: "forward" as const }];
    const snapshot = makeGateSnapshot({ gate: compared, clusters: [makeCluster("one", [migrated, b])] });
    const run = snapshot.ledger?.runs[runId];
    if (run === undefined || snapshot.ledger === undefined) throw new Error("no run");
    const { campaign: _, stage: __, ...own } = run;
    const specs = new Map([
      [base, specOf(base, 98)],
      [head, specOf(head, 0)],
    ]);
    const ledger = { ...snapshot.ledger, runs: { [runId]: { ...own, changes } } };
    expect(list({ ...snapshot, specs, ledger }).map((each) => each.fill())).toEqual([
      { query: 'e{ns=~"shop-a",rev=~"new"}[1m]', baselineQuery: 'e{ns=~"shop-b",rev=~"old"}[1m]' },
    ]);
    // Before its files were read it is unknown which revisions it is about.
    const unread = new Map(specs);
    unread.delete(base);
    expect(list({ ...snapshot, specs: unread, ledger }).map((each) => each.fill())).toEqual([]);
  });
});
