import type { Gate, RollbackPolicy } from "#libs/campaign";
import { makeCluster, makeRun, makeStop, noon, runId, sha } from "#test/world/build";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "#test/world/campaigns/campaign";
import { findPlaced } from "#test/world/transition";
import { describe, expect, it } from "vitest";

import { rollBackAutomatically } from "./automatic-rollback.ts";
import type { RunRecord, StopRecord } from "../records/ledger-state.ts";
import type { Snapshot } from "../records/snapshot.ts";

const scope = `run/${runId}` as const;
const gate = (onFail: Gate["onFail"]): Gate => ({
  name: "errors",
  when: "during",
  onFail,
  onNoData: "pass",
  kind: "restartHealth",
  maxFailureRatio: 0.1,
  minSamples: 1,
});

interface Case {
  readonly name: string;
  readonly on?: RollbackPolicy["on"];
  readonly policy?: Partial<RollbackPolicy>;
  readonly onFail?: Gate["onFail"];
  readonly run?: Partial<RunRecord>;
  readonly earlier?: readonly RunRecord[];
  readonly stops?: readonly StopRecord[];
  /** The stop that is placed; undefined without one. */
  readonly want: Partial<StopRecord> | undefined;
}

const failures = makeStop({ id: "f", scope, cause: "failures", why: "3 failed", failures: ["one:shop/Deployment/a"] });
const failedGate = makeStop({ id: "g", scope, cause: "gate", gate: "errors", why: "12 % errors" });
const placed = { id: `rollback-${runId}`, scope, cause: "rollback", revertTo: sha("base"), strength: "move" } as const;
const first = makeRun(sha("first"), sha("zero"), { order: -1, campaign: "up", state: "done" });
const second = makeRun(sha("second"), sha("first"), { order: 0, campaign: "up", state: "done" });

type Given = Omit<Case, "name" | "want">;

/** A snapshot with an open run of the campaign's last stage and this stop. */
function makeStopped({ on = [], policy = {}, onFail = "pause", run = {}, stops = [] }: Given): Snapshot {
  const rollback = { on, scope: "stage" as const, mode: "pr" as const, ...policy };
  return makeCampaignSnapshot({
    campaign: makeCampaign({ stages: [makeStage("all", 100, { rollback, gates: [gate(onFail)] })] }),
    run,
    ledger: { stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])) },
    clusters: new Map([["one", makeCluster("one", [])]]),
  });
}

/** The stop that the planner places automatically. */
function guard(given: Given): StopRecord | undefined {
  const snapshot = makeStopped(given);
  const head = snapshot.specs.get(snapshot.main.head);
  if (snapshot.ledger === undefined || head === undefined) throw new Error("no snapshot");
  const earlier = Object.fromEntries((given.earlier ?? []).map((each) => [each.id, each]));
  const decision = rollBackAutomatically(
    snapshot,
    { ...snapshot.ledger, runs: { ...snapshot.ledger.runs, ...earlier } },
    head,
  );
  return findPlaced(decision);
}

const cases: readonly Case[] = [
  { name: "no stop: not rolled back", on: ["maxFailures", "gateFailed"], want: undefined },
  { name: "failures stopped it, and the settings name no cause: not rolled back", stops: [failures], want: undefined },
  { name: "failures stopped it: rolled back", on: ["maxFailures"], stops: [failures], want: placed },
  {
    name: "a gate stopped it, and the settings name only failures: not rolled back",
    on: ["maxFailures"],
    stops: [failedGate],
    want: undefined,
  },
  { name: "a gate stopped it: rolled back", on: ["gateFailed"], stops: [failedGate], want: placed },
  {
    name: "a gate stopped it whose own onFail is rollback: rolled back",
    onFail: "rollback",
    stops: [failedGate],
    want: placed,
  },
  {
    name: "a person stopped it: not rolled back",
    on: ["maxFailures", "gateFailed"],
    onFail: "rollback",
    stops: [makeStop({ id: "v", scope, gate: "errors" })],
    want: undefined,
  },
  {
    name: "failures stopped it, and a person has already requested a rollback: not rolled back again",
    on: ["maxFailures"],
    stops: [failures, makeStop({ id: "r", scope, cause: "rollback", revertTo: "b" })],
    want: undefined,
  },
  {
    name: "failures stopped it, while another run is rolled back: rolled back",
    on: ["maxFailures"],
    stops: [failures, makeStop({ id: "r", scope: "run/ffffffffffff", cause: "rollback", revertTo: "b" })],
    want: placed,
  },
  {
    name: "failures stopped it, and the run is over: not rolled back",
    on: ["maxFailures"],
    run: { state: "done" },
    stops: [failures],
    want: undefined,
  },
];

describe("1.4 a run that was stopped is rolled back automatically", () => {
  it.each(cases)("$name", ({ want, ...given }) => {
    expect({ stop: guard(given) }).toMatchObject({ stop: want });
  });
});

describe("2.2 how far and how fast", () => {
  const base = { on: ["maxFailures"] as const, stops: [failures] };

  it("a stage is rolled back to the commit before it, whatever its campaign did earlier", () =>
    expect(guard({ ...base, earlier: [first, second] })?.revertTo).toBe(sha("base")));

  it("a campaign is rolled back to the commit before its first run, whatever the order of records in the ledger", () =>
    expect(guard({ ...base, policy: { scope: "campaign" }, earlier: [second, first] })?.revertTo).toBe(sha("zero")));

  it("a run whose commit vanished is not the target", () => {
    const earlier = [{ ...first, state: "gone" as const }, second];
    expect(guard({ ...base, policy: { scope: "campaign" }, earlier })?.revertTo).toBe(sha("first"));
  });

  it("another campaign's run does not count", () => {
    const earlier = [{ ...first, campaign: "other" }];
    expect(guard({ ...base, policy: { scope: "campaign" }, earlier })?.revertTo).toBe(sha("base"));
  });

  it("by a pull request or with --now, as the setting says", () => {
    expect(guard(base)).not.toHaveProperty("now");
    expect(guard({ ...base, policy: { mode: "now" } })).toMatchObject({
      now: true,
      at: new Date(noon).toISOString(),
      who: "meshroll planner",
      why: "3 failed (rollback.on)",
    });
  });
});
