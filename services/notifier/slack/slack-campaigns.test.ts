import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeChat, type FakeChat } from "#fakes/chat";
import { describe, expect, it } from "vitest";

import { createNotifyStore } from "../facts/notify-store.ts";
import { createRateLimiter } from "../delivery/rate-limiter.ts";
import { createRunStore } from "../facts/run-store.ts";
import { createSlackSink } from "./slack-sink.ts";
import { makeSlackEnvironment, readBlocks } from "./test-slack.ts";
import * as make from "../delivery/test-world.ts";

const all = ["failed", "paused", "approvalNeeded", "completed"] as const;

function open(notify = make.campaignOf({ broadcast: all }), others: Readonly<Record<string, FakeChat>> = {}) {
  const bucket = openFakeBus(createFakeBusServer()).bucket("status");
  return makeSlackEnvironment(createFakeChat(), bucket, make.statusOf(), notify, others);
}

describe("a campaign's stage has one thread", () => {
  it("with a reply for each transition, but none for a changed figure", async () => {
    const environment = open();
    for (const event of make.campaignStory()) {
      environment.runs.note(event);
      await environment.sink.deliver(make.receivedOf(event));
      await environment.sink.deliver(make.receivedOf(event));
    }
    expect(environment.texts()).toEqual([
      "istio-1-29 · prod-25 [2/3]: done, some skipped, 40 of 42 workloads run what was merged.",
      "  Gate passed.",
      "  A wave is done.",
      "  Baking: it needs 1 d in which its workloads are seen healthy.",
      "  The bake is interrupted; it continues once all is seen healthy.",
      "  Baked: its workloads were seen healthy for 1 d.",
      "  Gate failed.",
      "  Run abcdefabcdef is done: 40 migrated, 2 did not move.",
      "  Stage prod-100 of istio-1-29 is proposed: 300 workloads.",
      "  Campaign istio-1-29 is complete on 1-29: 2 workloads did not move.",
    ]);
    const said = readBlocks(environment.chat, 7);
    expect(said).toContain("(istio-1-29 · prod-25) is done: 40 migrated, 2 did not move after 10 min.");
    expect(readBlocks(environment.chat, 6)).toContain("`error-rate`: 3 % of at most 2 %");
    expect(readBlocks(environment.chat, 8)).toContain("it needs 1 approval of `team:mesh`, then a person merges it");
  });

  const rules = [
    {
      broadcast: all,
      want: ["Gate failed.", "Run abcdefabcdef is done: 40 migrated, 2 did not move.", "Stage prod-100", "Campaign"],
    },
    { broadcast: ["failed"], want: ["Gate failed."] },
    { broadcast: ["approvalNeeded"], want: ["Stage prod-100"] },
    { broadcast: [], want: [] },
  ] as const;
  it.each(rules)("the channel sees only $broadcast", async ({ broadcast, want }) => {
    const environment = open(make.campaignOf({ broadcast }));
    for (const event of make.campaignStory()) await environment.sink.deliver(make.receivedOf(event));
    const seen = environment.chat.messages.filter((each) => each.broadcast).map(({ text }) => text);
    expect(seen).toEqual(want.map((words) => expect.stringContaining(words) as string));
  });
});

describe("a channel of its own", () => {
  const named = make.campaignOf({ channel: "#mesh-rollouts", broadcast: all });

  it("gets the campaign's messages; all others go to the notifier's own", async () => {
    const theirs = createFakeChat();
    const environment = open(named, { "#mesh-rollouts": theirs });
    for (const event of make.campaignStory()) await environment.sink.deliver(make.receivedOf(event));
    await environment.sink.deliver(
      make.receivedOf(make.placedOf("v1", "campaign/istio-1-29", { strength: "propose" })),
    );
    await environment.sink.deliver(make.receivedOf(make.placedOf("v2", "cluster/one")));
    await environment.sink.refresh();
    expect(environment.texts()).toEqual(["Paused: cluster/one, by ana: 5xx rise."]);
    expect(theirs.messages.length).toBe(11);
    expect(theirs.messages.at(-1)?.text).toBe("Held: campaign/istio-1-29, by ana: 5xx rise.");
  });

  it("that takes no messages (an archived one, for example) is replaced by the notifier's own", async () => {
    const theirs = createFakeChat();
    theirs.refuse("setup");
    const environment = open(named, { "#mesh-rollouts": theirs });
    const placed = make.receivedOf(make.placedOf("v1", "campaign/istio-1-29", { strength: "propose" }));
    await expect(environment.sink.deliver(placed)).rejects.toThrow(/./u);
    await environment.sink.deliver(placed);
    expect(environment.texts()).toEqual(["Held: campaign/istio-1-29, by ana: 5xx rise."]);
  });

  it("a hold is never called a stop", async () => {
    const environment = open();
    await environment.sink.deliver(
      make.receivedOf(make.placedOf("v1", "campaign/istio-1-29", { strength: "propose" })),
    );
    const shown = JSON.stringify(environment.chat.messages.map(({ text, blocks }) => [text, blocks]));
    expect(shown).toContain("Held");
    expect(shown).not.toMatch(/\bstop(ped|s)?\b(?!\/)/i);
  });

  it("nothing is posted while the channel is unknown: a message in the wrong channel cannot be undone", async () => {
    let now = 0;
    const chat = createFakeChat();
    const bucket = openFakeBus(createFakeBusServer()).bucket("status");
    const runs = createRunStore({ monotonic: () => now, wall: () => now });
    const rateLimiter = createRateLimiter(bucket, 5_000, () => now);
    const rules = createNotifyStore();
    const parts = {
      channels: { open: async () => chat, leave: () => undefined },
      runs,
      rules,
      rateLimiter,
      monotonic: () => now,
    };
    const sink = createSlackSink(parts);
    await expect(sink.deliver(make.receivedOf(make.startedOf()))).rejects.toThrow("which channel");
    expect(chat.messages).toEqual([]);
    now = 61_000;
    await sink.deliver(make.receivedOf(make.startedOf()));
    expect(chat.messages).toHaveLength(1);
  });
});

describe("after an outage", () => {
  it("forty late messages of an ended run are one message, and an approval is posted while it is needed", async () => {
    const environment = open();
    for (let index = 0; index < 40; index += 1) {
      const event = make.eventOf("gateJudged", `g${index}`, {
        run: make.run,
        gate: `g${index}`,
        verdict: "pass",
        why: "",
      });
      environment.runs.note(event);
      await environment.sink.deliver(make.receivedOf(event, { isLate: true }));
    }
    expect(environment.texts()).toEqual([]);
    const [proposed] = make.campaignStory().filter(({ type }) => type === "stage.v1.proposed");
    if (proposed === undefined) throw new Error("no proposal");
    await environment.sink.deliver(make.receivedOf(proposed, { isLate: true }));
    expect(environment.texts()).toEqual([]);
    const pull = { stage: "prod-100", number: 8, url: "", branch: "", state: "open", headSha: "" } as const;
    const campaigns = [{ name: "istio-1-29", runs: [], pull }] as never;
    environment.runs.setStatus(make.statusOf({ campaigns }));
    await environment.sink.deliver(make.receivedOf(proposed, { isLate: true }));
    expect(environment.texts().at(-1)).toContain("Stage prod-100 of istio-1-29 is proposed");
  });
});

it("500 batches make one message of the run, edited at most twelve times a minute", async () => {
  const environment = open();
  await environment.sink.deliver(make.receivedOf(make.startedOf()));
  const edits: number[] = [];
  let before = 0;
  for (let batch = 0; batch < 500; batch += 1) {
    const data = { run: make.run, cluster: "one" };
    await environment.sink.deliver(make.receivedOf(make.eventOf("batchHandedOut", `b${batch}`, data, batch)));
    environment.runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated: batch % 40 })] }));
    await environment.sink.refresh();
    environment.pass(1000);
    const count = environment.chat.messages[0]?.edits ?? 0;
    edits.push(count - before);
    before = count;
  }
  expect(environment.chat.messages).toHaveLength(1);
  for (let second = 0; second + 60 <= edits.length; second += 1) {
    const minute = edits.slice(second, second + 60).reduce((sum, count) => sum + count, 0);
    expect(minute).toBeLessThanOrEqual(12);
    expect(edits.slice(second, second + 5).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1);
  }
  expect(before).toBeGreaterThan(50);
});
