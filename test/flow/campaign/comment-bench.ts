import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote } from "#fakes/git";
import { createFakeScm, type FakeScm } from "#fakes/scm";
import { builtInSettings, type Campaign } from "#libs/campaign";
import { readRequest } from "#libs/events";
import type { Scm, PullRequest } from "#libs/scm";
import { applyChange, type VerbRequest, decide, isLedgerDecision, type LedgerState, type Snapshot } from "#libs/plan";
import { makeLedger, makeRun, makeSnapshot, sha } from "#test/world/build";

import { followComments } from "../../../services/planner/comment-requests/follow-comments.ts";
import { createCommentMemory } from "../../../services/planner/comment-requests/collect-comments.ts";
import { replyMarker } from "../../../services/planner/comment-requests/reply.ts";

/** One campaign, owned by `user:olga` and team `mesh` (`ana`). Its only stage is proposed, or merged. */
const campaign: Campaign = {
  name: "istio-new",
  file: "campaigns/istio-new.yml",
  target: "new",
  replaces: ["old"],
  owners: ["team:mesh", "user:olga"],
  exclude: [],
  clusters: { order: [], delayBetweenWaves: 0 },
  stages: [{ name: "prod-100", set: { production: 100 }, settings: builtInSettings, line: 9 }],
};

/**
 * A repository with people, the planner's part that follows comments, and the real `decide`, which carries out what they ask
 * for.
 */
export interface CommentBench {
  readonly scm: FakeScm;
  readonly pull: PullRequest;
  /** One round of the process that runs now. */
  round(): Promise<void>;
  /** Carries out the open requests, as the planner does. */
  decide(): Promise<void>;
  /** Plays rounds until no request is open. */
  settle(): Promise<void>;
  /** Ends the process as `kill -9` does: what it had in memory is lost. */
  kill(): void;
  ledger(): LedgerState;
  /** Our reply on the pull request, or on another issue or pull request. */
  reply(number?: number): Promise<string>;
  /** Our writes to comments, for example `comment 7`. */
  readonly writes: readonly string[];
  /** The SCM as the current process sees it; a test may replace methods to break it. */
  through: Scm;
  readonly rerendered: string[];
  /** The outcome of a rerender that is asked for a second time. */
  rerenderEnd: "done" | "pending" | "refused";
  clearBus(): Promise<void>;
  pass(ms: number): void;
  openRequests(): Promise<readonly VerbRequest[]>;
  /** When each verb was put on the bus, epoch ms, by its id. */
  readonly placedAt: ReadonlyMap<string, number>;
  readonly now: () => number;
}

export interface CommentBenchOptions {
  readonly isMerged?: boolean;
  readonly stops?: LedgerState["stops"];
  readonly noLedger?: true;
}

export async function openCommentBench(options: CommentBenchOptions = {}): Promise<CommentBench> {
  let now = 1_800_000_000_000;
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  remote.commitTo("meshroll/istio-new/prod-100", { files: { "rollouts.yml": "two\n" } });
  const scm = createFakeScm({ remote, now: () => now });
  scm.setTeam("mesh", ["ana"]);
  for (const login of ["ana", "olga", "eve"]) scm.setPermission(login, "read");
  const ours = scm.as("meshroll");
  const draft = { branch: "meshroll/istio-new/prod-100", base: "main", title: "100 %", body: "" };
  const pull = await ours.openPullRequest(draft);
  const base = makeSnapshot();
  const run = makeRun(sha("head"), sha("base"), { campaign: "istio-new", stage: "prod-100" });
  const merged = options.isMerged === true ? await ours.merge(pull.number, pull.headSha) : undefined;
  const commit = merged?.kind === "merged" ? merged.sha : sha("other");
  const head = base.specs.get(sha("head"));
  if (head === undefined) throw new Error("no head");
  const specs = new Map([...base.specs, [sha("head"), { ...head, campaigns: new Map([[campaign.name, campaign]]) }]]);
  const runs = options.isMerged === true ? { [run.id]: { ...run, commit } } : {};
  const change = "forward" as const;
  const changes = [{ pattern: "production", from: "old 100", to: "new 100", direction: change }];
  const named = Object.fromEntries(Object.entries(runs).map(([id, each]) => [id, { ...each, changes }]));
  const stops = options.stops ?? {};
  let ledger: LedgerState | undefined = makeLedger({ main: sha("head"), judged: sha("head"), runs: named, stops });
  if (options.noLedger === true) ledger = undefined;
  const server = createFakeBusServer();
  const bus = openFakeBus(server);
  const placedAt = new Map<string, number>();
  const bucket = bus.bucket("control");
  const control: typeof bucket = {
    ...bucket,
    async put(key, value) {
      const id = key.replace("request.", "");
      if (!placedAt.has(id)) placedAt.set(id, now);
      return bucket.put(key, value);
    },
  };
  const rerendered: string[] = [];
  let memory = createCommentMemory();
  const started = scm.writes.length;

  async function openRequests(): Promise<readonly VerbRequest[]> {
    const requests: VerbRequest[] = [];
    const reader = new AbortController();
    const onEntry = ({ key, value }: { readonly key: string; readonly value?: string }): void => {
      const read = value === undefined ? undefined : readRequest(key, value);
      if (read?.ok === true) requests.push(read.request);
    };
    await control.watch("request.*", { onEntry, onReady: () => undefined, onReset: () => undefined }, reader.signal);
    reader.abort();
    return requests;
  }

  function snapshot(requests: readonly VerbRequest[] = []): Snapshot {
    return { ...base, specs, ledger, requests, now };
  }

  const bench: CommentBench = {
    scm,
    pull,
    through: ours,
    rerendered,
    placedAt,
    now: () => now,
    rerenderEnd: "done",
    openRequests,
    async round() {
      await followComments(
        {
          scm: bench.through,
          control,
          readStatus: async () => undefined,
          rerenderer: { rerender: (branch) => (rerendered.push(branch) > 1 ? bench.rerenderEnd : "pending") },
          wall: () => now,
          log: { warn: () => undefined },
        },
        memory,
        snapshot(),
      );
    },
    async decide() {
      const requests = await openRequests();
      for (let step = 0; step < 20; step += 1) {
        const decision = decide(snapshot(requests)).find(isLedgerDecision);
        const open = requests.filter(({ id }) => ledger?.requests[id] === undefined);
        if (decision === undefined || open.length === 0) break;
        if (ledger !== undefined) ledger = applyChange(ledger, decision.change);
      }
      for (const { id } of requests) if (ledger?.requests[id] !== undefined) await control.delete(`request.${id}`);
    },
    async settle() {
      for (let step = 0; step < 4; step += 1) {
        await bench.round();
        await bench.decide();
      }
    },
    kill: () => void (memory = createCommentMemory()),
    ledger() {
      if (ledger === undefined) throw new Error("there is no ledger");
      return ledger;
    },
    async reply(number = pull.number) {
      const found = (await ours.comments(number)).filter(({ body }) => body.startsWith(replyMarker));
      if (found.length > 1) throw new Error("more than one reply of ours");
      return found[0]?.body ?? "";
    },
    get writes() {
      return scm.writes.slice(started).filter((each) => each.startsWith("comment "));
    },
    async clearBus() {
      for (const { id } of await openRequests()) await control.delete(`request.${id}`);
    },
    pass: (ms) => void (now += ms),
  };
  return bench;
}
