import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { createRequestCheck } from "../described/check-requests.ts";
import { createRateLimit } from "../http/answer.ts";
import { type BareRepository, openBareRepository } from "../git/bare-repository.ts";
import { createComputedMerges } from "../git/computed-merges.ts";
import { createPast } from "./past.ts";
import { createCommitCounts } from "../git/commit-counts.ts";
import { createFaults, type Fault } from "../state/faults.ts";
import { createAppState, type GithubApp, type IssuedToken } from "../state/app.ts";
import { type BranchMove, listMoves } from "../git/branch-moves.ts";
import { followBranches } from "../push/follow-branches.ts";
import type { Hub } from "../state/hub.ts";
import { advanceQueue } from "../push/queue.ts";
import { createMergeability } from "../git/mergeability.ts";
import type { Exchange, GithubOptions, GithubUser } from "../state/options.ts";
import { serve } from "./serve.ts";
import { createSerial } from "../git/serial.ts";
import { formatTime } from "../shapes/commit.ts";
import { showRepository } from "../shapes/repository.ts";
import { showUser } from "../shapes/user.ts";
import { createState } from "../state/state.ts";
import { createWebhooks, type Delivery } from "../push/webhooks.ts";

/** A branch that moved, after epoch ms `from` and not after `until`: between two readings of the branches. */
export interface SeenPush extends BranchMove {
  readonly from: number;
  readonly until: number;
  /** The login that pushed or merged; for a change on disk the owner of the repository. */
  readonly by: string;
}

export interface Github {
  /** Base URL of the API. */
  readonly url: string;
  readonly gitUrl: string;
  readonly repoPath: string;
  /** The last requests, without bodies. */
  readonly requests: readonly Omit<Exchange, "body">[];
  readonly deliveries: readonly Delivery[];
  /** Tokens of the App's installation, oldest first. */
  readonly tokens: readonly IssuedToken[];
  /** Every move of a branch, oldest first, by this server's clock, whatever times its commits have. */
  readonly pushes: readonly SeenPush[];
  /** Approvals of heads, by the time at which they arrived, epoch ms. */
  approvals(): readonly { readonly head: string; readonly by: string; readonly at: number }[];
  /** Returns a function that removes the fault. */
  addFault(fault: Fault): () => void;
  /** Ends all tokens of the App's installation at once. */
  revokeTokens(): void;
  /** Uses up the requests of this hour but so many. */
  leaveRequests(requests: number): void;
  /** Updates pull requests and sends webhooks after a change on disk; each request does so too. */
  notice(): Promise<void>;
  /** Resolves when no webhook is in flight. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const maxRequests = 10_000;

/** Makes the first commit by one process: every test and demo starts with it. */
async function seed(repository: BareRepository, hub: Hub, files: Readonly<Record<string, string>>): Promise<void> {
  if ((await repository.readBranches()).has(hub.defaultBranch)) return;
  const { name, email, seconds } = hub.sign(hub.owner);
  const person = `${name} <${email}> ${seconds} +0000`;
  const parts = [
    `commit refs/heads/${hub.defaultBranch}\nauthor ${person}\ncommitter ${person}\ndata 13\nFirst commit\n\n`,
  ];
  for (const [path, content] of Object.entries(files)) {
    parts.push(`M 100644 inline ${JSON.stringify(path)}\ndata ${Buffer.byteLength(content)}\n${content}\n`);
  }
  await repository.git(["fast-import", "--quiet"], { input: parts.join("") });
}

/** An App writes as an account of its own, with which no person logs in. */
function addApp(users: readonly GithubUser[], app: GithubApp | undefined): Pick<Hub, "users" | "app"> {
  if (app === undefined) return { users };
  const bot = { login: `${app.slug}[bot]`, token: randomUUID(), type: "Bot" as const };
  return { users: [...users, bot], app: createAppState(app) };
}

function revokeTokens({ app }: Hub): void {
  for (const issued of app?.issued ?? []) issued.expiresAt = 0;
}

/** Starts a GitHub on this machine: REST, git over HTTP and webhooks on one bare repository. */
export async function startGithub(options: GithubOptions): Promise<Github> {
  const { owner, repo, users, protection } = options;
  const clock = options.clock ?? Date.now;
  const faults = createFaults();
  const webhooks = createWebhooks(options.webhooks ?? []);
  const repository = await openBareRepository(options.folder, owner, repo);
  const serial = createSerial();
  const past = createPast();
  const requests: Omit<Exchange, "body">[] = [];
  const pushes: SeenPush[] = [];
  let branches: ReadonlyMap<string, string> = new Map();
  let readAt = clock();
  let url = "";

  const hub: Hub = {
    owner,
    repo,
    ...addApp(users, options.app),
    teams: options.teams ?? {},
    protection,
    isMoved: () => options.isMoved?.() === true,
    repository,
    defaultBranch: "main",
    mergeMethods: options.mergeMethods ?? ["merge", "squash", "rebase"],
    state: createState(formatTime(Math.floor(clock() / 1000))),
    mergeability: createMergeability(repository),
    computedMerges: createComputedMerges(options.mergeability),
    pageSize: Math.min(options.pageSize ?? 100, 100),
    commitCounts: createCommitCounts(repository),
    url: () => url,
    now: () => formatTime(Math.floor(clock() / 1000)),
    sign: (login) => ({ name: login, email: `${login}@users.noreply.github.com`, seconds: Math.floor(clock() / 1000) }),
    branches: () => branches,
    emit: (event, login, payload) =>
      webhooks.send(event, { ...payload, repository: showRepository(hub), sender: showUser(hub, login) }),
  };

  /** `login` is undefined for a change on disk. */
  async function follow(login?: string): Promise<void> {
    const before = branches;
    const [from, readingAt] = [readAt, clock()];
    branches = await repository.readBranches();
    const moves = listMoves(before, branches);
    if (moves.length > 0) past.note({ ...hub, branches: () => before }, clock());
    pushes.push(...moves.map((move) => ({ ...move, from, until: clock(), by: login ?? owner })));
    readAt = readingAt;
    await followBranches(hub, moves, login);
    if (await advanceQueue(hub)) await follow(login);
  }

  if (options.files !== undefined) await seed(repository, hub, options.files);
  branches = await repository.readBranches();
  pushes.push(...listMoves(new Map(), branches).map((move) => ({ ...move, from: readAt, until: clock(), by: owner })));

  function record(exchange: Exchange): void {
    options.onExchange?.(exchange);
    const { body: _, ...kept } = exchange;
    requests.push(kept);
    if (requests.length > maxRequests) requests.shift();
  }

  const rate = createRateLimit(clock, options.requestsPerHour);
  const checkRequest = createRequestCheck();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void serve(
      { hub, faults, rate, serial, follow, folder: options.folder, clock, record, checkRequest, past },
      request,
      response,
    );
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    gitUrl: `${url}/${owner}/${repo}.git`,
    repoPath: repository.path,
    requests,
    deliveries: webhooks.deliveries,
    tokens: hub.app?.issued ?? [],
    pushes,
    approvals: () =>
      hub.state.reviews
        .filter(({ state }) => state === "APPROVED")
        .map(({ commit, author, at }) => ({ head: commit, by: author, at: Date.parse(at) })),
    addFault(fault) {
      if (fault.effect.kind === "old") past.keep();
      return faults.add(fault);
    },
    revokeTokens: () => revokeTokens(hub),
    leaveRequests: (requests) => rate.leave(requests),
    notice: async () => serial(async () => follow()),
    settle: async () => webhooks.settle(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await serial(async () => undefined);
      await webhooks.settle();
    },
  };
}
