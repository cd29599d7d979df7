import { deepStrictEqual, ok } from "node:assert/strict";

import type { FaultEffect } from "#sandbox/github";
import { startSlack } from "#sandbox/slack";

import type { Fault, PassTools } from "../passes/fault.ts";
import { countOn, file, names, readEnd } from "../passes/shop.ts";

/** An outside system that stops answering. */
interface Outage {
  /** Additional environment of the services. */
  readonly env?: () => Readonly<Record<string, string>>;
  /** The planner opens the rollback's pull request itself. */
  readonly hasPulls?: true;
  /** Begins the outage; the returned function ends it. */
  readonly begin: () => () => void;
  /** True when one of our processes waits for it, or was refused by it. */
  readonly wasMet: () => boolean;
  /** How many requests it has answered since the outage began: pause and rollback must need none of them. */
  readonly countAnswers: () => number;
  /** How status names it while a verb cannot be recorded; absent where no run waits for it. */
  readonly code?: string;
}

/** Requests of these paths get no answer, or an error. */
function breakGithub(
  { fleet }: PassTools,
  path: RegExp,
  effect: FaultEffect,
  env: () => Readonly<Record<string, string>> = () => ({}),
): Outage {
  let from = Number.POSITIVE_INFINITY;
  // By arrival: a request that was on its way when the outage began is still answered, and listed after it.
  const list = () => fleet.github.requests.filter((each) => (each.receivedAt ?? 0) >= from && path.test(each.path));
  return {
    env,
    begin() {
      const end = fleet.github.addFault({ on: { path }, effect, times: Number.POSITIVE_INFINITY });
      from = performance.now();
      return end;
    },
    wasMet: () => list().length > 0,
    countAnswers: () => list().filter(({ status }) => status !== 0 && status !== 503).length,
  };
}

/** First a pause, which reaches the cluster during the outage; then a rollback of all. */
async function brake(tools: PassTools, outage: Outage, run: string): Promise<void> {
  const { fleet } = tools;
  const before = fleet.writes.length;
  const paused = tools.measure("pause");
  await fleet.request({ verb: "stop", scope: "all" });
  await fleet.until("the pause stands in the cluster", () => fleet.hasRecordedStop());
  paused();
  const [first, all] = [tools.measure("first back"), tools.measure("all back")];
  await fleet.request({ verb: "rollback", scope: `run/${run}`, now: true });
  await fleet.until("the first is rolled back", () => fleet.writes.length > before);
  first();
  await fleet.until("all are back", () => countOn(fleet, "old") === names.length);
  all();
  if (outage.code !== undefined) await tools.untilNamed(outage.code);
  ok(outage.countAnswers() === 0, "nothing that was away was needed");
}

/** Once all answers again, the verbs are recorded and main follows: by a person's push, or by the planner's pull request. */
async function recover(tools: PassTools, hasPulls: boolean): Promise<void> {
  const { fleet } = tools;
  tools.fixed();
  await fleet.until("both are recorded", async () => Object.keys((await fleet.ledger()).stops).length >= 2);
  await fleet.request({ verb: "resume", scope: "all" });
  if (!hasPulls) await fleet.merge({ "rollouts.yml": file(0) });
  await fleet.untilRunEnds(2);
  const { revisions, writes } = await readEnd(fleet);
  deepStrictEqual(
    [revisions, writes],
    [Object.fromEntries(names.map((name) => [name, "old"])), Object.fromEntries(names.map((name) => [name, 2]))],
  );
}

/** All workloads have moved, an outside system goes down, and a person pauses and rolls back. */
async function playBrake(
  tools: PassTools,
  outage: Outage,
  disturb = async (): Promise<void> => undefined,
): Promise<void> {
  const { fleet } = tools;
  await tools.prepare("well");
  await tools.startAll(outage.env?.());
  await fleet.merge({ "rollouts.yml": file(100) });
  const { id } = await fleet.untilRunEnds(1);
  const end = outage.begin();
  await fleet.until("it is met", outage.wasMet);
  await disturb();
  await brake(tools, outage, id);
  end();
  await recover(tools, outage.hasPulls === true);
}

async function restartBoth({ fleet }: PassTools): Promise<void> {
  await Promise.all([fleet.kill("planner"), fleet.kill("executor")]);
  fleet.startService("executor");
  fleet.startService("planner");
}

const git = /\.git\//;

async function playHungSlack(tools: PassTools): Promise<void> {
  const { fleet } = tools;
  const slack = { token: "xoxb-for-tests", channel: "C0FAULTS" } as const;
  const chat = await startSlack({ tokens: [{ token: slack.token }], channels: [slack.channel] });
  const end = chat.addFault({ effect: { kind: "hang" }, times: Number.POSITIVE_INFINITY });
  const notifier = {
    MESHROLL_SLACK_TOKEN: slack.token,
    MESHROLL_SLACK_CHANNEL: slack.channel,
    MESHROLL_SLACK_API_URL: chat.url,
  };
  try {
    await playBrake(tools, {
      begin() {
        fleet.startService("notifier", { env: notifier });
        return end;
      },
      wasMet: () => fleet.services.has("notifier"),
      countAnswers: () => chat.messages(slack.channel).length,
    });
    await fleet.close();
  } finally {
    await chat.close();
  }
}

function breakApi(tools: PassTools): Outage {
  const env = () => ({
    MESHROLL_GITHUB_API_URL: tools.fleet.github.url,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_TOKEN: tools.fleet.env["MESHROLL_GIT_TOKEN"] ?? "",
    MESHROLL_GITHUB_POLL_SECONDS: "1",
    MESHROLL_SANDBOX_THROTTLE: "10",
  });
  return { ...breakGithub(tools, /^\/repos\//, { kind: "hang" }, env), hasPulls: true };
}

/** A hung request is given up after 10 s, and git is asked at growing intervals until it answers. */
const recovery = 8;

/**
 * A pause must be in the cluster, and the rollback's first workload written, within 5 s. Four faults are played at once, so the
 * first write gets twice as long, and more where planner and executor have to start before.
 */
const limitsMs = { pause: 5000, "first back": 10_000 };
const limitsOfStart = { pause: 5000, "first back": 30_000 };

/** Faults in which a person pauses and rolls back while an outside system does not answer. */
export const brakeFaults: readonly Fault[] = [
  {
    name: "git-hung",
    recovery,
    limitsMs,
    shows:
      "git takes connections and says nothing: a pause and rollback --now are through before any call of git returns",
    play: async (tools) => playBrake(tools, { ...breakGithub(tools, git, { kind: "hang" }), code: "LedgerSlow" }),
  },
  {
    name: "git-slow",
    recovery,
    limitsMs,
    shows: "git answers one byte a second: a pause and rollback --now do not wait for it",
    play: async (tools) => playBrake(tools, { ...breakGithub(tools, git, { kind: "drip" }), code: "LedgerSlow" }),
  },
  {
    name: "git-gone",
    recovery,
    limitsMs,
    shows: "every connection to git is cut: a pause and rollback --now do not need it",
    play: async (tools) => playBrake(tools, { ...breakGithub(tools, git, { kind: "reset" }), code: "LedgerDown" }),
  },
  {
    name: "git-refused",
    recovery,
    limitsMs,
    shows: "git answers 503: a pause and rollback --now do not need it",
    play: async (tools) =>
      playBrake(tools, { ...breakGithub(tools, git, { kind: "status", status: 503 }), code: "LedgerDown" }),
  },
  {
    name: "restart-while-git-hangs",
    recovery,
    limitsMs: limitsOfStart,
    shows:
      "planner and executor are killed and start while git hangs: a pause and rollback --now from the bus are carried out",
    play: async (tools) =>
      playBrake(tools, { ...breakGithub(tools, git, { kind: "hang" }), code: "GitDown" }, async () =>
        restartBoth(tools),
      ),
  },
  {
    name: "github-hung",
    recovery,
    limitsMs,
    shows: "GitHub's API says nothing: a pause and rollback --now do not wait for it",
    play: async (tools) => playBrake(tools, breakApi(tools)),
  },
  {
    name: "slack-hung",
    recovery,
    limitsMs,
    shows: "Slack takes connections and says nothing: a pause and rollback --now do not wait for it",
    play: playHungSlack,
  },
];
