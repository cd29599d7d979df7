import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createModel, fakeCluster } from "#fakes/kube";
import { createFakeQueueServer, openFakeQueue, serveFakeBatches } from "#fakes/queue";
import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import { type BatchJob, printRequest } from "#libs/events";
import { openRepository, type RolloutsRepository } from "#libs/git";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { type FleetStatus, makeBaseline, type VerbRequest } from "#libs/plan";
import type { TokenSource } from "#libs/runtime";
import type { Scm } from "#libs/scm";

import { demandReviews, type Exchange, type GithubOptions, type GithubUser } from "#sandbox/github";
import { readBranches } from "../../../sandbox/github/git/read-branches.ts";
import { startTestEnvironment, type TestEnvironment } from "../../../sandbox/github/test-world.ts";
import { runExecutor } from "../../../services/executor/service.ts";
import { createEnvironments } from "../../../services/notifier/github/environments.ts";
import { createGithubSink } from "../../../services/notifier/github/github-sink.ts";
import { createNotifyStore } from "../../../services/notifier/facts/notify-store.ts";
import { createRateLimiter } from "../../../services/notifier/delivery/rate-limiter.ts";
import { createRunStore } from "../../../services/notifier/facts/run-store.ts";
import { runNotifier } from "../../../services/notifier/notifier.ts";
import { runPlanner } from "../../../services/planner/service.ts";
import { createInProcessJudge } from "../parts/in-process-judge.ts";
import { createSilentLogger } from "../parts/silent-logger.ts";
import { fill, nameShops } from "../shop.ts";
import { createCallsInFlight } from "./calls-in-flight.ts";

/** Planner, executor and notifier on a virtual clock; pull requests and git are the stand-in's, over HTTP. */
export interface Hub {
  readonly clock: VirtualClock;
  readonly github: TestEnvironment;
  /** The stand-in's answers so far, without those to git. */
  readonly exchanges: readonly Exchange[];
  /** Errors that the processes logged. */
  readonly errors: readonly string[];
  /** Lets so many ms pass. */
  pass(ms: number): Promise<void>;
  /** Lets so many ms pass in one step, as while the machine sleeps. */
  leap(ms: number): Promise<void>;
  /** Lets time pass until it holds; throws after `limitMs`. */
  until(what: string, isTrue: () => Promise<boolean> | boolean, limitMs?: number): Promise<void>;
  /** Sends a webhook's hint to the planner. */
  hint(): Promise<void>;
  /** Puts a person's verb on the bus, as the CLI does. */
  request(verb: Pick<VerbRequest, "verb" | "scope" | "why">): Promise<void>;
  ask(path: string, body?: unknown, login?: string, method?: string): Promise<number>;
  status(): Promise<FleetStatus | undefined>;
  close(): Promise<void>;
}

export interface HubOptions extends Partial<GithubOptions> {
  readonly files: Readonly<Record<string, string>>;
  /** Logins of people, who may write. */
  readonly people: readonly string[];
}

/** How long meshroll uses one token of an App, virtual ms: three quarters of its life. */
const tokenMs = 45 * 60_000;
const tokens = ["token-of-bot", "next-token-of-bot"];

function listUsers(people: readonly string[]): readonly GithubUser[] {
  const named = [...people, "root"].map((login) => ({
    login,
    token: `token-of-${login}`,
    admin: login === "root",
  }));
  return [...named, ...tokens.map((token) => ({ login: "bot", token }))];
}

/** Tokens of an App, which change with the time. */
function createTokens(clock: VirtualClock): TokenSource {
  return {
    give: async () => tokens[Math.floor(clock.elapsed() / tokenMs) % tokens.length] ?? "",
    drop: () => undefined,
  };
}

/** Virtual ms between two moments at which the servers' answers are waited for. */
const stepMs = 100;

/** The same clone; a fetch while no branch moved starts no git, which is most of what a virtual hour takes. */
function fetchChanges(repository: RolloutsRepository, path: string): RolloutsRepository {
  let last: { readonly branches: string; readonly heads: ReturnType<RolloutsRepository["fetch"]> } | undefined;
  return new Proxy(repository, {
    get(object, name) {
      if (name !== "fetch") return Reflect.get(object, name) as unknown;
      return async (signal?: AbortSignal) => {
        const branches = JSON.stringify([...(await readBranches(path))]);
        if (last?.branches !== branches) last = { branches, heads: object.fetch(signal) };
        return last.heads;
      };
    },
  });
}

export async function openHub({ files, people, ...options }: HubOptions): Promise<Hub> {
  const clock = createVirtualClock();
  const exchanges: Exchange[] = [];
  const github = await startTestEnvironment({
    files,
    users: listUsers(people),
    protection: {
      requiredReviews: 0,
      requiredChecks: ["meshroll/plan", "meshroll/approvals"],
      ...demandReviews(["bot"]),
    },
    clock: () => clock.now(),
    onExchange: (exchange) => void (exchange.route === undefined || exchanges.push({ ...exchange, body: undefined })),
    ...options,
  });
  const calls = createCallsInFlight();
  const errors: string[] = [];
  const [bus, queue] = [createFakeBusServer(), createFakeQueueServer(clock)];
  const [log, stop] = [createSilentLogger(errors), new AbortController()];
  const shared = { installation: testInstallation, clock, log };

  async function openClone(): Promise<RolloutsRepository> {
    const place = { url: github.github.gitUrl, folder: github.freshFolder() };
    const clone = await openRepository({ ...place, credentials: { token: "token-of-bot" } });
    return calls.follow(fetchChanges(clone, github.github.repoPath));
  }
  const openScm = (): Scm =>
    calls.follow(github.as("bot", { token: createTokens(clock), monotonic: () => clock.monotonic() }));

  const first = await openClone();
  const { main } = await first.fetch();
  await openLedger(first).record(makeBaseline(main, clock.now(), "ana", testInstallation), undefined);

  const model = fill(createModel({ clock }), nameShops());
  model.setConfigMap("meshroll-system", "meshroll-installation", { id: testInstallation });
  const executor = runExecutor(
    {
      ...shared,
      repository: await openClone(),
      clusters: [fakeCluster(model, "one", { monotonic: () => clock.monotonic() })],
      mode: "act",
      bus: openFakeBus(bus),
      serve: serveFakeBatches<BatchJob>(queue),
    },
    stop.signal,
  );
  const [repository, strangers] = [await openClone(), await openClone()];
  const planner = runPlanner(
    {
      ...shared,
      holder: { place: "planner", id: "1" },
      repository: await openClone(),
      bus: openFakeBus(bus),
      queue: openFakeQueue<BatchJob>(queue),
      gitPollMs: 10_000,
      link: { scm: openScm(), repository, strangers, judge: createInProcessJudge(), base: "main", pollMs: 30_000 },
    },
    stop.signal,
  );
  const [monotonic, wall] = [() => clock.monotonic(), () => clock.now()];
  const rules = createNotifyStore();
  const runs = createRunStore({ monotonic, wall }, (run) => rules.stageOf(run));
  const bucket = openFakeBus(bus).bucket("status");
  const sink = createGithubSink({
    scm: openScm(),
    runs,
    rules,
    rateLimiter: createRateLimiter(bucket, 60_000, wall),
    environments: createEnvironments(bucket),
  });
  const busOfNotifier = openFakeBus(bus);
  const notifier = runNotifier({ ...shared, bus: busOfNotifier, runs, rules, sinks: [sink] }, stop.signal);

  const rest = async (): Promise<void> => calls.rest(async () => clock.settle());
  async function pass(ms: number): Promise<void> {
    for (const end = clock.now() + ms; clock.now() < end;) {
      await clock.advance(Math.min(stepMs, end - clock.now()));
      await rest();
    }
  }
  const status = async (): Promise<FleetStatus | undefined> => {
    const text = (await bucket.get("fleet"))?.value;
    return text === undefined ? undefined : (JSON.parse(text) as FleetStatus);
  };

  return {
    clock,
    github,
    exchanges,
    errors,
    pass,
    async leap(ms) {
      await clock.leap(ms);
      await rest();
    },
    async until(what, isTrue, limitMs = 3_600_000) {
      for (const end = clock.now() + limitMs; !(await isTrue()); await pass(stepMs)) {
        if (clock.now() >= end)
          throw new Error(`never: ${what}\n${errors.join("\n")}\n${JSON.stringify(await status())}`);
      }
    },
    hint: async () => openFakeBus(bus).publish("meshroll.v1.hint.v1.github", "{}"),
    async request(verb) {
      const id = `verb-${clock.now()}`;
      const at = new Date(clock.now()).toISOString();
      const request: VerbRequest = { id, strength: "move", who: "ana", at, ...verb };
      await openFakeBus(bus).bucket("control").put(`request.${id}`, printRequest(request));
    },
    async ask(path, body, login = "ada", method = "POST") {
      const answer = await github.ask(login, method, `/repos/acme/mesh${path}`, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return Number(answer.body?.number ?? 0);
    },
    status,
    async close() {
      stop.abort();
      // The fake bus waits in real time before it delivers a message again, until it is closed.
      await busOfNotifier.close();
      let isOver = false;
      const over = Promise.allSettled([planner, executor, notifier]).then(() => (isOver = true));
      while (!isOver) await pass(1000);
      await over;
      await github.close();
    },
  };
}
