import { createFakeRemote, type FakeRemote, openFakeRepository } from "#fakes/git";
import { createFakeScm, type FakeScm } from "#fakes/scm";
import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import type { RolloutsRepository } from "#libs/git";
import type { Scm, PullRequest } from "#libs/scm";
import { compileSpec, type RunRecord, type StopRecord, type Snapshot } from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeStop, makeWorkload, sha } from "#test/world/build";

import { createInProcessJudge } from "../parts/in-process-judge.ts";
import type { PullRequestJudge } from "../../../services/planner/pull-requests/judging/port.ts";
import { createFollow } from "../../../services/planner/pull-requests/create-follow.ts";
import { type FollowParts, followOnce } from "../../../services/planner/pull-requests/follow-once.ts";
import type { Wait } from "../../../services/planner/loop/make-wait.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";

/** `rollouts.yml` with this percent of `production` on `new`, and a second bucket. */
export function fileAt(percentNew: number, staging = 0): string {
  const bucket = (name: string, percent: number): string => `${name}:\n  old: ${100 - percent}\n  new: ${percent}\n`;
  return `${bucket("production", percentNew)}\n${bucket(".*-stg", staging)}`;
}

/** Main went from 0 to 50 % by one run; pull requests are followed over an SCM and a git repository in memory. */
export interface PullRequestBench {
  readonly remote: FakeRemote;
  readonly hub: FakeScm;
  readonly scm: Scm;
  readonly repository: RolloutsRepository;
  readonly clock: VirtualClock;
  readonly run: RunRecord;
  /** The commit that main had before the run. */
  readonly before: string;
  /** The ledger's runs, the newest last; changes count from the next round on. */
  readonly runs: Record<string, RunRecord>;
  /** The ledger's stops, by id; changes count from the next round on. */
  readonly stops: Map<string, StopRecord>;
  merged: number;
  /** False: the inventory has no cluster, as after NATS was wiped. Default: true. */
  isClusterSeen: boolean;
  /** Main's `rollouts.yml`, parsed. */
  readMain(): unknown;
  snapshot(): Snapshot;
  /** One round of the current process. */
  round(): Promise<readonly Wait[]>;
  /** Starts another process, which remembers nothing. `wrap` wraps what it uses of the outside. */
  restart(wrap?: Wraps): void;
  /** Opens a pull request as a person. */
  propose(branch: string, files: Readonly<Record<string, string | null>>, author?: string): Promise<PullRequest>;
  askRollback(change?: Partial<StopRecord>): StopRecord;
  /** States of all checks on a commit, by name, no matter which account posted them. */
  checks(sha: string): Promise<Readonly<Record<string, string>>>;
}

export interface Wraps {
  readonly scm?: (scm: Scm) => Scm;
  readonly repository?: (repository: RolloutsRepository) => RolloutsRepository;
  /** Wraps the clone that fetches heads from people without write access. */
  readonly strangers?: (repository: RolloutsRepository) => RolloutsRepository;
  readonly judge?: (judge: PullRequestJudge) => PullRequestJudge;
}

export interface BenchOptions {
  /** Approvals that GitHub itself requires; default: none. */
  readonly requiredReviews?: number;
  /** Whether branches must be up to date before a merge; default: false. */
  readonly strict?: boolean;
  /** Whether only a merge queue merges; default: false. */
  readonly queue?: boolean;
}

const names = ["a", "b", "c", "d", "e", "f", "a-stg", "b-stg"];
const requiredChecks = ["meshroll/plan", "meshroll/approvals"];

export function openPullRequestBench(options: BenchOptions = {}): PullRequestBench {
  const remote = createFakeRemote();
  const before = remote.commitToMain({ files: { "rollouts.yml": fileAt(0) } });
  const after = remote.commitToMain({ files: { "rollouts.yml": fileAt(50) } });
  const clock = createVirtualClock();
  const hub = createFakeScm({
    remote,
    protection: {
      requiredReviews: options.requiredReviews ?? 0,
      requiredChecks,
      strict: options.strict ?? false,
      queue: options.queue ?? false,
    },
    now: () => clock.now(),
  });
  const [from, to] = ['[["old",100]]', '[["new",50],["old",50]]'];
  const run = makeRun(after, before, { changes: [{ pattern: "production", from, to, direction: "forward" }] });
  const stops = new Map<string, StopRecord>();
  const cluster = makeCluster(
    "one",
    names.map((name) => makeWorkload(`${name}/web`)),
  );
  let parts: FollowParts;

  function start(wraps: Wraps = {}): FollowParts {
    const scm = (wraps.scm ?? ((same) => same))(hub.as("meshroll"));
    const repository = (wraps.repository ?? ((same) => same))(openFakeRepository(remote));
    const strangers = (wraps.strangers ?? ((same) => same))(openFakeRepository(remote));
    const judge = (wraps.judge ?? ((same) => same))(createInProcessJudge());
    const link = { scm, repository, strangers, judge, base: "main", pollMs: 30_000 };
    const onMerged = (): void => void (bench.merged += 1);
    return createFollow(link, { clock, log: createSilentLogger(), onMerged });
  }

  const runs: Record<string, RunRecord> = { [run.id]: run };
  const bench: PullRequestBench = {
    remote,
    runs,
    hub,
    scm: hub.as("meshroll"),
    repository: openFakeRepository(remote),
    clock,
    run,
    before,
    stops,
    merged: 0,
    isClusterSeen: true,
    readMain: () => remote.commit(remote.head("main") ?? "")?.tree.get("rollouts.yml"),
    snapshot() {
      const head = remote.head("main") ?? "";
      const text = remote.commit(head)?.tree.get("rollouts.yml");
      const compiled = compileSpec(head, typeof text === "string" ? text : undefined, undefined);
      return {
        now: clock.now(),
        main: { head, ageMs: 0, contained: true, vanished: [], points: [] },
        ledger: makeLedger({
          // Each change of a stop is a ledger commit, so the head differs with the stops.
          head: sha([...stops.values()].map(({ id, why, resume }) => `${id}${why}${resume?.at ?? ""}`).join()),
          main: head,
          judged: Object.values(runs).at(-1)?.commit ?? after,
          runs,
          stops: Object.fromEntries(stops),
        }),
        specs: new Map(compiled.ok ? [[head, compiled.spec]] : []),
        clusters: new Map(bench.isClusterSeen ? [["one", cluster]] : []),
        requests: [],
        waitingSince: new Map(),
        queueUp: true,
      };
    },
    round: async () => followOnce(parts, bench.snapshot()),
    restart: (wraps) => void (parts = start(wraps)),
    async propose(branch, files, author = "ana") {
      remote.commitTo(branch, { files, author });
      return hub.as(author).openPullRequest({ branch, base: "main", title: branch, body: "" });
    },
    askRollback(change = {}) {
      const stop = makeStop({
        id: "rollback",
        scope: `run/${run.id}`,
        cause: "rollback",
        revertTo: before,
        who: "ben",
        why: "INC-9921",
        ...change,
      });
      stops.set(stop.id, stop);
      return stop;
    },
    async checks(sha) {
      const found = await bench.scm.findChecks(sha);
      return Object.fromEntries(found.map(({ name, state }) => [name.replace("meshroll/", ""), state]));
    },
  };
  parts = start();
  return bench;
}
