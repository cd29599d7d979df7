import { ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { startSlack } from "#sandbox/slack";

import { startBusRepeater } from "./bus-repeater.ts";
import { type Fault, inTheMiddle, type Stage } from "../passes/fault.ts";
import { file } from "../passes/shop.ts";

async function playUnreliableBus(stage: Stage): Promise<void> {
  const { fleet, lane, random } = stage;
  const repeater = await startBusRepeater(lane.nats.url, random);
  // A lost word is made good by the next beat of the planner, 10 s later at most, and a reconcile.
  fleet.graceMs += 12_000;
  try {
    await stage.prepare("withBad");
    fleet.natsHost = new URL(repeater.url).host;
    await stage.startAll();
    await fleet.merge({ "rollouts.yml": file(100) });
    stage.fixed();
    await stage.endsUndisturbed("withBad");
    const { lost, doubled, reordered } = repeater.done;
    ok(lost > 0 && doubled > 0 && reordered > 0, "the bus did harm");
    await fleet.close();
  } finally {
    await repeater.close();
  }
}

const slack = { token: "xoxb-for-tests", channel: "C0FAULTS" } as const;

/** Roots of threads: one per run, however often the notifier dies. */
async function playDeadNotifier(stage: Stage): Promise<void> {
  const { fleet } = stage;
  const chat = await startSlack({ tokens: [{ token: slack.token }], channels: [slack.channel] });
  const env = {
    MESHROLL_SLACK_TOKEN: slack.token,
    MESHROLL_SLACK_CHANNEL: slack.channel,
    MESHROLL_SLACK_API_URL: chat.url,
  };
  try {
    await stage.open("withBad");
    fleet.startService("notifier", { env });
    await fleet.merge({ "rollouts.yml": file(100) });
    await stage.reach();
    await fleet.kill("notifier");
    fleet.startService("notifier", { env });
    stage.fixed();
    await stage.endsUndisturbed("withBad");
    const roots = () => chat.messages(slack.channel).filter(({ threadTs }) => threadTs === undefined);
    await fleet.until("the end is told", () => roots().some(({ text }) => /done/i.test(text)), 60_000);
    ok(roots().length === 1, `one root message for the run, not ${roots().length}`);
    await fleet.close();
  } finally {
    await chat.close();
  }
}

async function playDeadSlack(stage: Stage): Promise<void> {
  const { fleet } = stage;
  const chat = await startSlack({ tokens: [{ token: slack.token }], channels: [slack.channel] });
  try {
    chat.refuseConnections();
    await stage.open("withBad");
    const env = {
      MESHROLL_SLACK_TOKEN: slack.token,
      MESHROLL_SLACK_CHANNEL: slack.channel,
      MESHROLL_SLACK_API_URL: chat.url,
    };
    fleet.startService("notifier", { env });
    await fleet.merge({ "rollouts.yml": file(100) });
    stage.fixed();
    await stage.endsUndisturbed("withBad");
    const log = () => readFileSync(join(fleet.folder, "notifier.log"), "utf8");
    await fleet.until("the notifier's log says that people are not told", () =>
      log().includes("a notification was not delivered"),
    );
    await fleet.close();
  } finally {
    await chat.close();
  }
}

/** Faults of the bus's messages, and of those who only tell. */
export const messageFaults: readonly Fault[] = [
  {
    name: "bus-unreliable",
    shows: "every tenth message of the bus is lost, every tenth comes twice, every tenth is overtaken",
    play: playUnreliableBus,
  },
  {
    name: "kill-notifier",
    shows: "kill -9 of the notifier: the run goes on, and its thread is found again",
    play: playDeadNotifier,
  },
  {
    name: "slack-down",
    shows: "Slack refuses every connection: the run goes on without a word",
    play: playDeadSlack,
  },
  {
    name: "kill-api",
    shows: "kill -9 of the api: no webhook comes through, and polling finds everything",
    play: async (stage) => {
      const { fleet } = stage;
      fleet.startService("api", { env: { MESHROLL_API_PORT: "0" } });
      await inTheMiddle("withBad", async () => fleet.kill("api"))(stage);
    },
  },
];
