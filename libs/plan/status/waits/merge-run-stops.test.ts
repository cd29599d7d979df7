import { printText, renderReason } from "#libs/wording";
import { makeStop } from "#test/world/build";
import { instantRun, makeInstant } from "#test/world/campaigns/campaign-instant";
import { expect, test } from "vitest";

import { describeStops, nameStop } from "../../stops/index.ts";
import { mergeRunStops, type Wait } from "./merge-run-stops.ts";

const scope = `run/${instantRun}` as const;
const planner = { who: "meshroll planner", scope } as const;
const gate = makeStop({ ...planner, id: "g", cause: "gate", why: "gate restarts failed" });
const failures = makeStop({ ...planner, id: "f", cause: "failures", why: "too many failed" });
const pause = makeStop({ ...planner, id: "p", cause: "verb", who: "ana", why: "5xx" });
const failed: Wait = {
  scope,
  reason: { code: "GateFailed", run: instantRun, why: gate.why, owner: "ana", hasFailed: true },
};
const waitOf = (stop: typeof gate): Wait => ({ scope, reason: nameStop(stop) });

const cases: readonly {
  readonly name: string;
  readonly stops: readonly (typeof gate)[];
  readonly waits: readonly Wait[];
  readonly want: readonly string[];
}[] = [
  {
    name: "failures and a gate that stopped one run are one wait with both causes and all choices",
    stops: [gate, failures],
    waits: [waitOf(gate), waitOf(failures), failed],
    want: [
      `${scope} is stopped by meshroll planner: too many failed; gate restarts failed: status get retry rollback resume`,
    ],
  },
  {
    name: "a person's pause next to them stays a wait of its own",
    stops: [failures, pause],
    waits: [waitOf(pause), waitOf(failures)],
    want: [
      `${scope} is stopped by ana: 5xx: resume`,
      `${scope} is stopped by meshroll planner: too many failed: get retry rollback resume`,
    ],
  },
  {
    name: "a gate that failed without a failed workload offers nothing to retry",
    stops: [gate],
    waits: [waitOf(gate), { scope, reason: { ...failed.reason, hasFailed: false } as Wait["reason"] }],
    want: [`${scope} is stopped by meshroll planner: gate restarts failed: status rollback resume`],
  },
  {
    name: "a gate's verdict without a stop stays",
    stops: [],
    waits: [failed],
    want: ["gate restarts failed: describe get retry rollback resume"],
  },
];

test.each(cases)("$name", ({ stops, waits, want }) => {
  const snapshot = makeInstant({ stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])) });
  const merged = mergeRunStops(waits, describeStops(snapshot), snapshot).map(({ reason }) => {
    const { message, command = "", choices = [] } = renderReason(reason);
    const commands = choices.length === 0 ? [command] : choices.map((each) => each.command);
    return `${printText(message)}: ${commands.map((each) => each.split(" ")[1]).join(" ")}`;
  });
  expect(merged).toEqual(want);
});

test.each([
  { name: "while the rollback moves, its hold is no person's turn", rollbackOf: instantRun, want: 0 },
  { name: "after it, a person ends the hold", rollbackOf: "0123456789ab", want: 1 },
])("$name", ({ rollbackOf, want }) => {
  const stop = makeStop({ id: "h", scope: "bucket/production", cause: "rolledBack", rollbackOf });
  const campaign = { name: "istio-1-25", owners: [], file: "campaigns/istio-1-25.yml" };
  const held = { code: "StageHeld", campaign, stage: "prod-50", stop, more: 0 } as const;
  const snapshot = makeInstant({ stops: { h: stop } });
  const waits = [{ scope: "campaign/istio-1-25", reason: held }];
  expect(mergeRunStops(waits, describeStops(snapshot), snapshot)).toHaveLength(want);
});

test("it is the campaign's owners who can end it, not the planner that placed it", () => {
  const snapshot = makeInstant({ stops: { f: failures } });
  const [wait] = mergeRunStops([waitOf(failures)], describeStops(snapshot), snapshot);
  expect(wait === undefined ? undefined : renderReason(wait.reason).owner).not.toBe("meshroll planner");
});
