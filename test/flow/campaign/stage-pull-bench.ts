import { createFakeRemote, type FakeRemote, openFakeRepository } from "#fakes/git";
import { createFakeScm, type FakeScm } from "#fakes/scm";
import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import type { Scm, PullRequest } from "#libs/scm";
import {
  applyChange,
  type ClusterSnapshot,
  compileSpec,
  followPulls,
  type LedgerState,
  type Spec,
  type Snapshot,
} from "#libs/plan";
import { makeCluster, makeLedger, makeWorkload, sha } from "#test/world/build";

import { createInProcessJudge } from "../parts/in-process-judge.ts";
import { createFollow } from "../../../services/planner/pull-requests/create-follow.ts";
import { type FollowParts, followOnce } from "../../../services/planner/pull-requests/follow-once.ts";
import type { Wait } from "../../../services/planner/loop/make-wait.ts";
import type { Wraps } from "./pull-request-bench.ts";
import { file } from "../shop.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";
import { campaignFile, campaignOf } from "./stage-campaign.ts";

/** Rounds over pull requests, with a campaign on main and the ledger records that the rounds ask for. No run starts. */
export interface StagePullBench {
  readonly remote: FakeRemote;
  readonly hub: FakeScm;
  readonly scm: Scm;
  readonly clock: VirtualClock;
  ledger: LedgerState;
  /** Both clocks advance by `passMs` before each round. */
  round(passMs?: number): Promise<readonly Wait[]>;
  /** Starts another process, which remembers nothing. `wrap` wraps what it uses of the outside. */
  restart(wrap?: Wraps): void;
  snapshot(): Snapshot;
  find(branch: string): Promise<PullRequest | undefined>;
  readMain(): unknown;
  /** Whether the cluster's inventory is fresh; default: true. */
  isFresh: boolean;
  /** Names of the fleet's namespaces. */
  names: readonly string[];
}

export interface StageBenchOptions {
  readonly campaign?: string;
  readonly rollouts?: string;
  /** `meshroll.yml`; default: empty. */
  readonly settings?: string;
  readonly names?: readonly string[];
  /** Whether branches must be up to date before a merge; default: false. */
  readonly strict?: boolean;
  /** Whether only a merge queue merges; default: false. */
  readonly queue?: boolean;
}

const fleets = new Map<string, ClusterSnapshot>();

function makeFleet(names: readonly string[]): ClusterSnapshot {
  const key = names.join();
  const known = fleets.get(key);
  const fleet =
    known ??
    makeCluster(
      "one",
      names.map((name) => makeWorkload(`${name}/web`)),
    );
  fleets.set(key, fleet);
  return fleet;
}

const requiredChecks = ["meshroll/plan", "meshroll/approvals"];

export function openStagePullBench(options: StageBenchOptions = {}): StagePullBench {
  const remote = createFakeRemote();
  const files = {
    "rollouts.yml": options.rollouts ?? file(0),
    "meshroll.yml": options.settings ?? "{}\n",
    [campaignFile]: options.campaign ?? campaignOf(),
  };
  const first = remote.commitToMain({ files });
  const clock = createVirtualClock();
  const hub = createFakeScm({
    remote,
    protection: { requiredReviews: 0, requiredChecks, strict: options.strict ?? false, queue: options.queue ?? false },
    now: () => clock.now(),
  });
  let parts: FollowParts;
  let compiled: { readonly head: string; readonly spec: Spec | undefined } | undefined;

  function start(wraps: Wraps = {}): FollowParts {
    const scm = (wraps.scm ?? ((same) => same))(hub.as("meshroll"));
    const repository = (wraps.repository ?? ((same) => same))(openFakeRepository(remote));
    const [strangers, judge] = [repository, createInProcessJudge()];
    const link = { scm, repository, strangers, judge, base: "main", pollMs: 30_000 };
    return createFollow(link, { clock, log: createSilentLogger(), onMerged: () => undefined });
  }

  function read(path: string): string | undefined {
    const text = remote.commit(remote.head("main") ?? "")?.tree.get(path);
    return typeof text === "string" ? text : undefined;
  }

  /** Compiled once for each head, as in the planner. */
  function compile(): { readonly head: string; readonly spec: Spec | undefined } {
    const head = remote.head("main") ?? "";
    if (compiled?.head === head) return compiled;
    const campaign = read(campaignFile);
    const campaigns = campaign === undefined ? {} : { [campaignFile]: campaign };
    const result = compileSpec(head, read("rollouts.yml"), read("meshroll.yml"), campaigns);
    compiled = { head, spec: result.ok ? result.spec : undefined };
    return compiled;
  }

  const bench: StagePullBench = {
    remote,
    hub,
    scm: hub.as("meshroll"),
    clock,
    ledger: makeLedger({ main: first, judged: first }),
    isFresh: true,
    names: options.names ?? ["a", "b", "c", "d", "e", "f"],
    snapshot() {
      const { head, spec } = compile();
      const { stagePulls } = parts;
      return {
        now: clock.now(),
        main: { head, ageMs: 0, contained: true, vanished: [], points: [] },
        ledger: bench.ledger,
        specs: new Map(spec === undefined ? [] : [[head, spec]]),
        clusters: new Map([["one", { ...makeFleet(bench.names), ...(bench.isFresh ? {} : { fresh: false }) }]]),
        requests: [],
        waitingSince: new Map(),
        ...(stagePulls === undefined ? {} : { pulls: stagePulls }),
        queueUp: true,
      };
    },
    async round(passMs = 30_000) {
      await clock.advance(passMs);
      const waits = await followOnce(parts, bench.snapshot());
      for (let step = 0; step < 10; step += 1) {
        const decision = followPulls(bench.snapshot(), bench.ledger);
        if (decision === undefined) return waits;
        bench.ledger = {
          ...applyChange(bench.ledger, decision.change),
          head: sha(`ledger ${decision.change.sequence}`),
        };
      }
      throw new Error("the ledger does not settle");
    },
    restart: (wraps) => void (parts = start(wraps)),
    find: async (branch) => (await hub.as("ana").findPullRequests(branch))[0],
    readMain: () => read("rollouts.yml"),
  };
  parts = start();
  return bench;
}
