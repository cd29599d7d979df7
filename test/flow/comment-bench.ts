import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote } from "#fakes/git";
import { createFakeForge, type FakeForge } from "#fakes/github";
import { builtInSettings, type Campaign } from "#libs/campaign";
import { readAsk } from "#libs/events";
import type { Forge, PullRequest } from "#libs/github";
import { type Ask, decide, isLedgerDecision, type LedgerState, type World } from "#libs/plan";
import { makeLedger, makeRun, makeWorld, sha } from "#test/world/build";

import { createCommentMemory, followComments } from "../../services/planner/comment-asks/follow-comments.ts";
import { replyMarker } from "../../services/planner/comment-asks/reply.ts";

/** One campaign, owned by `user:olga` and the team `mesh` (`ana`), whose only stage is proposed or merged. */
const campaign: Campaign = {
  name: "istio-new",
  file: "campaigns/istio-new.yml",
  target: "new",
  replaces: ["old"],
  supersedes: [],
  owners: ["team:mesh", "user:olga"],
  exclude: [],
  clusters: { order: [], delayBetweenWaves: 0 },
  stages: [{ name: "prod-100", set: { production: 100 }, settings: builtInSettings, line: 9 }],
};

/** A repository with people, a planner that carries verbs out by the real `decide`, and comments that it follows. */
export interface CommentBench {
  readonly forge: FakeForge;
  readonly pull: PullRequest;
  /** A round of the process at work; `decided` carries out what is on its way afterwards. */
  round(): Promise<void>;
  decide(): Promise<void>;
  /** Until nothing is open any more. */
  settle(): Promise<void>;
  /** As kill -9: what the process remembered is lost. */
  kill(): void;
  ledger(): LedgerState;
  /** Our reply on the pull request, or on another number. */
  reply(number?: number): Promise<string>;
  /** `comment 7` and the like, by us. */
  readonly writes: readonly string[];
  /** The forge as the process at work sees it; a test may break it. */
  through: Forge;
  readonly replanned: string[];
  /** What becomes of a replan when it is asked for the second time. */
  replanEnd: "done" | "pending" | "refused";
  clearBus(): Promise<void>;
  pass(ms: number): void;
  openAsks(): Promise<readonly Ask[]>;
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
  const forge = createFakeForge({ remote, now: () => now });
  forge.setTeam("mesh", ["ana"]);
  for (const login of ["ana", "olga", "eve"]) forge.setPermission(login, "read");
  const ours = forge.as("meshroll");
  const draft = { branch: "meshroll/istio-new/prod-100", base: "main", title: "100 %", body: "" };
  const pull = await ours.openPullRequest(draft);
  const base = makeWorld();
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
  const control = bus.bucket("control");
  const replanned: string[] = [];
  let memory = createCommentMemory();
  const started = forge.writes.length;

  async function openAsks(): Promise<readonly Ask[]> {
    const asks: Ask[] = [];
    const reader = new AbortController();
    const onEntry = ({ key, value }: { readonly key: string; readonly value?: string }): void => {
      const read = value === undefined ? undefined : readAsk(key, value);
      if (read?.ok === true) asks.push(read.ask);
    };
    await control.watch("ask.*", { onEntry, onReady: () => undefined, onReset: () => undefined }, reader.signal);
    reader.abort();
    return asks;
  }

  function world(asks: readonly Ask[] = []): World {
    return { ...base, specs, ledger, asks, now };
  }

  const bench: CommentBench = {
    forge,
    pull,
    through: ours,
    replanned,
    replanEnd: "done",
    openAsks,
    async round() {
      await followComments(
        {
          forge: bench.through,
          control,
          readStatus: async () => undefined,
          replanner: { replan: (branch) => (replanned.push(branch) > 1 ? bench.replanEnd : "pending") },
          wall: () => now,
          log: { warn: () => undefined },
        },
        memory,
        world(),
      );
    },
    async decide() {
      const asks = await openAsks();
      for (let step = 0; step < 20; step += 1) {
        const decision = decide(world(asks)).find(isLedgerDecision);
        const open = asks.filter(({ id }) => ledger?.asks[id] === undefined);
        if (decision === undefined || open.length === 0) break;
        ledger = decision.ledger;
      }
      for (const { id } of asks) if (ledger?.asks[id] !== undefined) await control.delete(`ask.${id}`);
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
      return forge.writes.slice(started).filter((each) => each.startsWith("comment "));
    },
    async clearBus() {
      for (const { id } of await openAsks()) await control.delete(`ask.${id}`);
    },
    pass: (ms) => void (now += ms),
  };
  return bench;
}
