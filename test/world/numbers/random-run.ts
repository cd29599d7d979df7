import { builtInSettings } from "#libs/campaign";
import type { Workload } from "#libs/fleet";
import {
  applyChange,
  type ClusterSnapshot,
  decide,
  evaluateFleet,
  isLedgerDecision,
  judgeStages,
  type PlanRecord,
  proposeStage,
  type RunOutcome,
  type RunRecord,
  type Snapshot,
  type Spec,
} from "#libs/plan";
import { writeText } from "#libs/wording";
import fc from "fast-check";

import {
  failed,
  makeCluster,
  makeLedger,
  makeMigrated,
  makeRun,
  makeSnapshot,
  makeSpec,
  makeWorkload,
  moved,
  noon,
  runId,
  sha,
} from "../build.ts";
import { makeCampaign, makeStage, withCampaign } from "../campaigns/campaign.ts";
import { gates } from "../campaigns/gates.ts";

/** What a workload is when its stage is proposed, and what became of it since. */
export interface Sketch {
  readonly namespace: number;
  /** `there`: it runs the target already. `paused`: it waits for its owner. */
  readonly was: "plain" | "idle" | "there" | "paused";
  readonly became: "pending" | "migrating" | "migrated" | "failed";
  /** Created after the list, or deleted since. */
  readonly since?: "created" | "deleted";
}

export type Fleet = readonly (readonly Sketch[])[];

const namespaces = 14;

export const fleets: fc.Arbitrary<Fleet> = fc.array(
  fc.array(
    fc.record(
      {
        namespace: fc.nat({ max: namespaces - 1 }),
        was: fc.constantFrom("plain" as const, "plain" as const, "idle" as const, "there" as const, "paused" as const),
        became: fc.constantFrom(
          "pending" as const,
          "migrating" as const,
          "migrated" as const,
          "migrated" as const,
          "failed" as const,
        ),
        since: fc.constantFrom("created" as const, "deleted" as const),
      },
      { requiredKeys: ["namespace", "was", "became"] },
    ),
    { minLength: 1, maxLength: 30 },
  ),
  { minLength: 1, maxLength: 3 },
);

const batch = { ...builtInSettings.batch, failurePolicy: "ContinueOnError" as const };
const settings = { bake: 0, minWorkloads: 0, batch, gates: [gates.restartHealth({ maxFailureRatio: 1 })] };
/** Of fourteen namespaces some are left out for good. */
const exclude = [{ pattern: "ns-1[0-3]", matches: (name: string) => /^ns-1[0-3]$/u.test(name), reason: "audit" }];
const campaign = makeCampaign({ exclude, stages: [makeStage("half", 50, settings), makeStage("all", 100, settings)] });

const [base, middle, head] = [sha("base"), sha("middle"), sha("head")];
/** New ones for each fleet: who owns a namespace is remembered by the files, for one history of runs. */
function makeSpecs(): ReadonlyMap<string, Spec> {
  const shares = [
    [base, 0],
    [middle, 50],
    [head, 100],
  ] as const;
  return new Map(shares.map(([commit, percent]) => [commit, withCampaign(makeSpec(commit, percent), campaign)]));
}

const { resolver } = makeSpec(middle, 50);

const opened = { openedAt: "2026-11-19T11:00:00.000Z", unhealthyBefore: [] };

function nameOf(index: number): string {
  return `cluster-${index}`;
}

/** What the stage before skipped because it is left out. */
function listSkipped(fleet: Fleet): RunOutcome["skipped"] {
  return fleet.flatMap((sketches, at) =>
    sketches.flatMap(({ namespace }, index) => {
      const isOut = namespace >= 10 && resolver.resolve(`ns-${namespace}`).revision === "new";
      const workload = `ns-${namespace}/Deployment/w${index}`;
      return isOut ? [{ cluster: nameOf(at), workload, code: "Excluded", message: writeText("left out") }] : [];
    }),
  );
}

/** The stage before: it left over what waited for its owner, and named what is left out. */
function makeEarlier(fleet: Fleet): RunRecord {
  const changes = [{ pattern: "production", from: "old: 100", to: "new: 50, old: 50", direction: "forward" as const }];
  return makeRun(middle, base, {
    order: 1,
    campaign: "up",
    stage: "half",
    state: "done",
    changes,
    clusters: Object.fromEntries(fleet.map((_, index) => [nameOf(index), opened])),
    endedAt: "2026-11-19T11:20:00.000Z",
    outcome: { migrated: 1, skipped: listSkipped(fleet), seen: fleet.map((_, index) => nameOf(index)) },
  });
}

function makeAtList({ namespace, was }: Sketch, index: number): Workload {
  const name = `ns-${namespace}/w${index}`;
  const plain = makeWorkload(name, {
    ...(was === "idle" ? { replicas: 0, total: 0, updated: 0, available: 0, pods: [] } : {}),
    ...(was === "paused" ? { paused: true } : {}),
  });
  return was === "there" ? makeWorkload(name, {}, "new") : plain;
}

/** What the stage before left over is taken last; what is left out, or waits, is not written. */
function isWritten({ namespace, was }: Sketch, isOver: boolean): boolean {
  const isTurn = isOver || resolver.resolve(`ns-${namespace}`).revision === "old";
  return isTurn && was !== "paused" && was !== "there" && namespace < 10;
}

function move(before: Workload, became: Sketch["became"]): Workload {
  switch (became) {
    case "pending":
      return before;
    case "migrating":
      return moved(before, "new", runId);
    case "migrated":
      return makeMigrated(before, "new", runId);
    case "failed":
      return failed(before, "new", runId);
  }
}

function makeNow(sketch: Sketch, index: number, isOver: boolean): Workload {
  const before = makeAtList(sketch, index);
  if (!isWritten(sketch, isOver)) return before;
  const { was, became } = sketch;
  // Without a pod nothing fails.
  const isMigrated = became === "failed" ? was === "idle" : isOver;
  return move(before, isMigrated ? "migrated" : became);
}

function makeClusters(fleet: Fleet, make: (sketch: Sketch, index: number) => readonly Workload[]) {
  const clusters = fleet.map((sketches, at): readonly [string, ClusterSnapshot] => {
    const workloads = sketches.flatMap(make);
    return [nameOf(at), makeCluster(nameOf(at), workloads)];
  });
  return new Map(clusters);
}

/** The stage's proposal and its list; undefined where it moves nothing, which is no proposal. */
export function proposeRun(fleet: Fleet): (ReturnType<typeof proposeStage> & { readonly list: string }) | undefined {
  const [earlier, specs] = [makeEarlier(fleet), makeSpecs()];
  const snapshot = makeSnapshot({
    main: { head: middle, ageMs: 0, contained: true, vanished: [], points: [] },
    specs,
    ledger: makeLedger({ main: middle, judged: middle, runs: { [earlier.id]: earlier } }),
    clusters: makeClusters(fleet, (sketch, index) => (sketch.since === "created" ? [] : [makeAtList(sketch, index)])),
  });
  const spec = specs.get(middle);
  if (spec === undefined) throw new Error("main does not parse");
  const [verdict] = judgeStages(snapshot, spec, evaluateFleet(snapshot, spec));
  if (verdict?.kind !== "propose") return undefined;
  let list = "";
  const keep = (text: string) => {
    list = text;
    return "sha256:of-the-list";
  };
  return { ...proposeStage(snapshot, spec, verdict, keep), list };
}

/** The snapshot while the stage's run is open; `isOver`: all that was written has settled, and what waited did so too long. */
export function openRun(fleet: Fleet, list: string, isOver = false): Snapshot {
  const [earlier, specs] = [makeEarlier(fleet), makeSpecs()];
  const changes = [{ pattern: "production", from: "new: 50, old: 50", to: "new: 100", direction: "forward" as const }];
  const run = makeRun(head, middle, {
    order: 2,
    campaign: "up",
    stage: "all",
    changes,
    clusters: Object.fromEntries(fleet.map((_, index) => [nameOf(index), opened])),
    list: "proposed",
  });
  const named = {
    head: "proposed",
    campaign: "up",
    stage: "all",
    branch: "meshroll/up/all",
    digest: "sha256:of-the-list",
  };
  const plan: PlanRecord = { ...named, at: "2026-11-19T11:30:00.000Z", changes, list };
  const clusters = makeClusters(fleet, (sketch, index) =>
    sketch.since === "deleted" ? [] : [makeNow(sketch, index, isOver)],
  );
  const waits = [...clusters].flatMap(([name, { namespaces: all }]) =>
    [...all.values()].flatMap(({ workloads }) =>
      workloads.map(({ namespace, kind, name: short }) => [`${name}:${namespace}/${kind}/${short}`, 0] as const),
    ),
  );
  return makeSnapshot({
    main: { head, ageMs: 0, contained: true, vanished: [], points: [] },
    specs,
    ledger: makeLedger({
      main: head,
      judged: head,
      runs: { [earlier.id]: earlier, [run.id]: run },
      plans: { proposed: plan },
    }),
    clusters,
    ...(isOver ? { waitingSince: new Map(waits), now: noon } : {}),
  });
}

/** The ledger's record of the run once the planner has ended it; undefined where it has not. */
export function endRun(snapshot: Snapshot): RunRecord | undefined {
  let { ledger } = snapshot;
  for (let step = 0; step < 12 && ledger !== undefined; step += 1) {
    const run = ledger.runs[runId];
    if (run !== undefined && run.state !== "open") return run;
    const decision = decide({ ...snapshot, ledger }).find(isLedgerDecision);
    if (decision === undefined) return undefined;
    ledger = applyChange(ledger, decision.change);
  }
  return undefined;
}
