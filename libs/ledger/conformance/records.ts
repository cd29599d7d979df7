import { testInstallation } from "#libs/input";
import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";
import type { Text } from "#libs/wording";

const main = "1".repeat(40);

function nameRun(order: number): string {
  return (0xa00000000000 + order).toString(16);
}

/** A run for every tenth day, ended, with a cluster, a gate, a bake and an outcome: every field of a record. */
export function makeRun(order: number): RunRecord {
  const id = nameRun(order);
  const at = new Date(Date.UTC(2026, 0, 1 + 10 * order, 12)).toISOString();
  return {
    id,
    commit: id.padEnd(40, "0"),
    before: main,
    order,
    startedAt: at,
    author: "ana",
    subject: `change ${order}`,
    buckets: ["production"],
    changes: [{ pattern: "production", from: "old: 100", to: `old: 95, new${order}: 5`, direction: "forward" }],
    retried: { "one:shop/Deployment/a": 1 },
    clusters: { one: { openedAt: at, uid: "u1", unhealthyBefore: ["shop/Deployment/b"], doneAt: at } },
    expected: ["two"],
    campaign: "up",
    stage: `s${order}`,
    list: id.padEnd(40, "1"),
    bake: { beganAt: at, neededMs: 60_000, healthyMs: 60_000, savedAt: at },
    gates: {
      errors: {
        verdict: "pass",
        at,
        why: "0.1 % of 1 %" as unknown as Text,
        value: 0.001,
        limit: 0.01,
        query: "sum(x)",
      },
    },
    measured: {
      errors: {
        by: "sum(x)",
        bad: [
          { at, value: 0.5, baseline: 0.1 },
          { at, fault: "down" },
        ],
        lowSince: at,
      },
    },
    state: "done",
    endedAt: at,
    outcome: {
      migrated: 7,
      skipped: [
        {
          cluster: "one",
          workload: "shop/Deployment/a",
          code: "ReadinessTimeout",
          message: "ReadinessTimeout" as unknown as Text,
        },
      ],
      seen: ["one"],
    },
  };
}

export function makeStop({ id, startedAt }: RunRecord): StopRecord {
  return {
    id: `failures-${id}-1`,
    scope: `run/${id}`,
    strength: "move",
    at: startedAt,
    who: "meshroll planner",
    why: "1 failed",
    cause: "failures",
    failures: ["one:shop/Deployment/a"],
    resume: { at: startedAt, who: "ben", why: "looked" },
  };
}

export function index<T extends { readonly id: string }>(records: readonly T[]): Readonly<Record<string, T>> {
  return Object.fromEntries(records.map((each) => [each.id, each]));
}

export const runs = [1, 2, 3].map(makeRun);
export const [oldest, , newest] = runs as [RunRecord, RunRecord, RunRecord];
const [firstStop, ...laterStops] = runs.map(makeStop) as [StopRecord, ...StopRecord[]];
/** The oldest is a rollback with `--now`. */
export const stops: readonly StopRecord[] = [{ ...firstStop, revertTo: main, now: true }, ...laterStops];
export const list = {
  head: oldest.list ?? "",
  campaign: "up",
  stage: "s1",
  branch: "meshroll/up/s1",
  at: oldest.startedAt,
  changes: oldest.changes,
  digest: "sha256:1",
  list: "shop\tproduction\told\tnew\tone\tshop/Deployment/a\n",
};

export function makeState(change: Partial<LedgerState> = {}): LedgerState {
  const baseline = { commit: main, at: oldest.startedAt, by: "ana", installation: testInstallation };
  const empty = {
    head: "",
    sequence: 1,
    baseline,
    main,
    judged: main,
    runs: {},
    stops: {},
    requests: {},
    plans: {},
  };
  return { ...empty, ...change };
}
