import { join } from "node:path";

import { openRepository } from "#libs/git";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import {
  archiveEnded,
  compileSpec,
  applyChange,
  type LedgerState,
  makeBaseline,
  type RunRecord,
  type Spec,
  type StopRecord,
  type Snapshot,
} from "#libs/plan";
import { writeText } from "#libs/wording";

import { type MainHistory, type MainStep, makeMain } from "./main-history.ts";

/** Size of the ledger. */
export interface LedgerSize {
  readonly runs: number;
  readonly clusters: number;
}

/** Runs that end between two commits that archive them. The product archives fewer at a time, which would take minutes here. */
const PER_COMMIT = 500;
const limits = { newestRuns: 8, runsOfCampaign: 20, fewest: 25, most: 10_000 };
const dayMs = 86_400_000;
const start = Date.UTC(2026, 0, 1, 9);

function printTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A run that moved workloads in every cluster, with a typical record: times, unhealthy and skipped workloads, two gates. */
function makeRun({ order, commit, before, buckets, changes }: MainStep, { runs, clusters }: LedgerSize): RunRecord {
  const id = commit.slice(0, 12);
  const at = printTime(start + Math.floor((order / runs) * 365) * dayMs);
  const names = Array.from({ length: clusters }, (_, at_) => `prod-euw1-${String(at_).padStart(3, "0")}`);
  const gate = {
    verdict: "pass",
    at,
    why: writeText("0.2 % of at most 1 %: sum(rate(istio_requests_total[5m]))"),
    value: 0.002,
    limit: 0.01,
  } as const;
  return {
    id,
    commit,
    before,
    order,
    startedAt: at,
    author: "ana",
    subject: `Merge pull request #${order} from acme/meshroll/istio-1-25/prod-${order % 100}`,
    buckets,
    changes,
    clusters: Object.fromEntries(
      names.map((name, index) => {
        const uid = `6f1c2d3e-0000-4000-8000-${String(index).padStart(12, "0")}`;
        return [
          name,
          { openedAt: at, uid, unhealthyBefore: [`team-${order % 60}-api/Deployment/worker-${index}`], doneAt: at },
        ];
      }),
    ),
    campaign: `campaign-${Math.floor(order / 12)}`,
    stage: `stage-${order % 12}`,
    bake: { beganAt: at, neededMs: dayMs, healthyMs: dayMs, savedAt: at },
    gates: { errors: gate, latency: gate },
    state: "done",
    endedAt: at,
    outcome: {
      migrated: 400,
      skipped: Array.from({ length: 10 }, (_, index) => {
        return {
          cluster: names[index] ?? "",
          workload: `team-${index}-api/Deployment/worker`,
          code: "UnhealthyBefore",
          message: writeText("UnhealthyBefore"),
        };
      }),
      seen: names,
    },
  };
}

/** Every second run was stopped by failures once, and resumed by a person. */
function makeStop({ id, order, startedAt }: RunRecord): readonly StopRecord[] {
  if (order % 2 === 0) return [];
  const failures = [`prod-euw1-000:team-${order % 60}-api/Deployment/worker`];
  const resume = { at: startedAt, who: "ben", why: "the image was wrong, and is fixed" };
  const placed = {
    strength: "move",
    at: startedAt,
    who: "meshroll planner",
    why: "1 failed",
    cause: "failures",
  } as const;
  return [{ id: `failures-${id}-1`, scope: `run/${id}`, ...placed, failures, resume }];
}

function compile({ head, headText }: MainHistory): Spec {
  const compiled = compileSpec(head, headText, undefined);
  if (!compiled.ok) throw new Error("the bench's own file does not parse");
  return compiled.spec;
}

function makeSnapshot(head: string, ledger: LedgerState): Snapshot {
  const main = { head, ageMs: 0, contained: true, vanished: [], points: [] };
  const common = {
    ledger,
    specs: new Map(),
    clusters: new Map(),
    requests: [],
    waitingSince: new Map(),
    queueUp: true,
  };
  return { now: start + 365 * dayMs, main, ...common };
}

/** Writes a year of ended runs, with the product's own code, and archives them. Returns the repository's URL. */
export async function makeLedgerRepository(folder: string, size: LedgerSize): Promise<string> {
  const remote = join(folder, "remote");
  const main = makeMain(remote, size.runs);
  const url = `file://${remote}`;
  const repository = await openRepository({ url, folder: join(folder, "writer") });
  await repository.fetch();
  const ledger = openLedger(repository);
  const record = async (next: LedgerState, before?: LedgerState): Promise<LedgerState> => {
    const outcome = await ledger.record({ sentence: "bench", actor: "bench", cause: "Bench", next }, before);
    if (outcome.kind !== "recorded") throw new Error(outcome.why);
    return outcome.state;
  };
  const first = makeBaseline(main.baseline, start, "ana", testInstallation).next;
  let state = await record({ ...first, main: main.head, judged: main.head });
  const spec = compile(main);
  for (let done = 0; done < size.runs; done += PER_COMMIT) {
    const ended = main.steps.slice(done, done + PER_COMMIT).map((step) => makeRun(step, size));
    const stops = ended.flatMap(makeStop);
    state = await record(
      {
        ...state,
        sequence: state.sequence + 1,
        runs: { ...state.runs, ...Object.fromEntries(ended.map((run) => [run.id, run])) },
        stops: { ...state.stops, ...Object.fromEntries(stops.map((stop) => [stop.id, stop])) },
      },
      state,
    );
    for (;;) {
      const moved = archiveEnded(makeSnapshot(main.head, state), state, spec, limits);
      if (moved === undefined) break;
      state = await record(applyChange(state, moved.change), state);
    }
  }
  return url;
}
