import type { Text } from "#libs/wording";
import { makeEvent } from "#libs/events";
import { testInstallation } from "#libs/input";
import type { LedgerEntry, LedgerState, PlanRecord, RunRecord } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { describeArchive } from "./conformance/archive.ts";
import { describeVersions } from "./conformance/versions.ts";
import { openLedger } from "./branch/git-branch.ts";
import type { LedgerFixture } from "./conformance/fixture.ts";

const main = "1".repeat(40);

function makeState(change: Partial<LedgerState> = {}): LedgerState {
  const baseline = { commit: main, at: "2026-11-19T12:00:00.000Z", by: "ana", installation: testInstallation };
  return {
    head: "",
    sequence: 1,
    baseline,
    main,
    judged: main,
    runs: {},
    stops: {},
    requests: {},
    plans: {},
    ...change,
  };
}

function makeEntry(sentence: string, next: LedgerState): LedgerEntry {
  return { sentence, actor: "ana", cause: "Test", next };
}

const stop = {
  id: "s1",
  scope: "run/abcabcabcabc",
  strength: "move",
  at: "2026-11-19T12:00:00.000Z",
  who: "ana",
  why: '5xx — "seen" on listings',
  cause: "failures",
  failures: ["one:shop/Deployment/a"],
} as const;

const changes = [{ pattern: "production", from: "old: 100", to: "old: 95, new: 5", direction: "forward" as const }];
const plan: PlanRecord = {
  head: "2".repeat(40),
  campaign: "up",
  stage: "five",
  branch: "meshroll/up/five",
  at: stop.at,
  changes,
  digest: "sha256:1",
  list: "shop\tproduction\told\tnew\tone\tshop/Deployment/a\n",
};
const baking: RunRecord = {
  id: "abcabcabcabc",
  commit: "3".repeat(40),
  before: main,
  order: 1,
  startedAt: stop.at,
  author: "ana",
  subject: "five",
  buckets: ["production"],
  changes,
  campaign: "up",
  stage: "five",
  list: plan.head,
  clusters: { one: { openedAt: stop.at, unhealthyBefore: [], doneAt: stop.at } },
  bake: {
    beganAt: stop.at,
    neededMs: 60_000,
    healthyMs: 6000,
    savedAt: stop.at,
    paused: { code: "BakeUnseen", message: "one is not seen" as unknown as Text },
  },
  gates: {
    errors: {
      verdict: "fail",
      at: stop.at,
      why: "2 % of 1 %" as unknown as Text,
      value: 0.02,
      limit: 0.01,
      query: "sum(x)",
    },
  },
  state: "open",
  outcome: {
    migrated: 0,
    skipped: [],
    seen: ["one"],
    differences: [{ cluster: "one", workload: "shop/Deployment/a", why: "gone" }],
  },
};

/** What every ledger branch must do; run against the fake and against git. */
export function describeLedger(name: string, make: () => Promise<LedgerFixture>): void {
  describeArchive(name, make);
  describeVersions(name, make);
  describe(`ledger on ${name}`, () => {
    test("8.1 the tree is the state: another process reads back what was recorded", async () => {
      const fixture = await make();
      const first = await openLedger(await fixture.open()).record(makeEntry("baseline", makeState()), undefined);
      if (first.kind !== "recorded") throw new Error(first.why);
      const next = { ...first.state, sequence: 2, stops: { s1: stop } };
      const second = await openLedger(await fixture.open()).record(makeEntry("stop s1", next), first.state);
      if (second.kind !== "recorded") throw new Error(second.why);

      const read = await openLedger(await fixture.open()).load(second.state.head);

      expect(read).toEqual({ ...next, head: second.state.head });
    });

    test("8.1 the messages are the history: a sentence, then actor, cause and scope", async () => {
      const fixture = await make();
      const about = ["run/abcabcabcabc", "bucket/a\nActor: root"];
      await openLedger(await fixture.open()).record({ ...makeEntry("baseline 111", makeState()), about }, undefined);

      const messages = await fixture.messages();

      expect(messages.map((message) => message.trim())).toEqual([
        `baseline 111\n\nActor: ana\nCause: Test\nAbout: run/abcabcabcabc\nAbout: bucket/a Actor: root\nMain: ${main}`,
      ]);
    });

    test("8.1 the events of a transition are in its commit, and in no later one", async () => {
      const fixture = await make();
      const branch = await fixture.open();
      const ledger = openLedger(branch);
      const event = makeEvent("stopPlaced", "stop-s1", 0, { stop: "s1", scope: stop.scope, who: "ana", why: "5xx" });
      const first = await ledger.record(makeEntry("baseline", makeState()), undefined);
      if (first.kind !== "recorded") throw new Error(first.why);
      const second = await ledger.record(makeEntry("stop", { ...first.state, sequence: 2 }), first.state, [event]);
      if (second.kind !== "recorded") throw new Error(second.why);
      const third = await ledger.record(makeEntry("judged", { ...second.state, sequence: 3 }), second.state);
      if (third.kind !== "recorded") throw new Error(third.why);

      const files = await Promise.all(
        [first, second, third].map(async ({ state }) => branch.readTree(state.head, ["events"])),
      );

      const [none, one, same] = files.map(([file]) => file);
      expect(none).toBeUndefined();
      expect(JSON.parse(one?.text ?? "")).toEqual({ version: 1, events: [event] });
      expect(same?.id).toBe(one?.id);
      expect(await openLedger(await fixture.open()).load(third.state.head)).toEqual(third.state);
    });

    test("8.1 an ended stop stays in the tree", async () => {
      const fixture = await make();
      const ledger = openLedger(await fixture.open());
      const resumed = { ...stop, resume: { at: stop.at, who: "ben", why: "looked" } };
      const first = await ledger.record(makeEntry("baseline", makeState({ stops: { s1: stop } })), undefined);
      if (first.kind !== "recorded") throw new Error(first.why);
      const second = await ledger.record(makeEntry("resume", { ...first.state, stops: { s1: resumed } }), first.state);
      if (second.kind !== "recorded") throw new Error(second.why);

      const read = await openLedger(await fixture.open()).load(second.state.head);

      expect(read.stops).toEqual({ s1: resumed });
    });

    test("10.2 the list of a plan, a bake and a gate's verdict are read back as they were written", async () => {
      const fixture = await make();
      const next = makeState({ runs: { [baking.id]: baking }, plans: { [plan.head]: plan } });
      const outcome = await openLedger(await fixture.open()).record(makeEntry("baseline", next), undefined);
      if (outcome.kind !== "recorded") throw new Error(outcome.why);

      const read = await openLedger(await fixture.open()).load(outcome.state.head);

      expect([read.plans, read.runs]).toEqual([next.plans, next.runs]);
    });

    const unreadable: readonly { readonly name: string; readonly change: Partial<LedgerState> }[] = [
      { name: "an invalid scope", change: { stops: { s1: { ...stop, scope: "bogus" as "all" } } } },
      {
        name: "an id with a path out of its folder",
        change: { requests: { "../heads": { at: stop.at, answer: "x" } } },
      },
      { name: "a stop under another one's name", change: { stops: { s2: stop } } },
      { name: "a time of the year 300000", change: { stops: { s1: { ...stop, at: "+300000-01-01T00:00:00.000Z" } } } },
      { name: "an invalid figure", change: { sequence: Number.NaN } },
      { name: "a run id that is not a commit's", change: { runs: { constructor: { ...baking, id: "constructor" } } } },
    ];
    test.each(unreadable)("8.1 a transition that could not be read back is not pushed: $name", async ({ change }) => {
      const fixture = await make();
      const ledger = openLedger(await fixture.open());
      const first = await ledger.record(makeEntry("baseline", makeState()), undefined);
      if (first.kind !== "recorded") throw new Error(first.why);

      await expect(ledger.record(makeEntry("bad", { ...first.state, ...change }), first.state)).rejects.toThrow(
        /is not what meshroll writes/,
      );

      expect((await fixture.messages()).length).toBe(1);
      expect(await openLedger(await fixture.open()).load(first.state.head)).toEqual(first.state);
    });

    test("8.1 texts from outside become one clean line and cannot add a trailer", async () => {
      const fixture = await make();
      const dirty = { ...stop, why: "a\u001b[2J\nb\u202E", who: "eve\nCause: Other" };
      const entry = { ...makeEntry("stop\n\nActor: root", makeState({ stops: { s1: dirty } })), actor: dirty.who };
      const outcome = await openLedger(await fixture.open()).record(entry, undefined);
      if (outcome.kind !== "recorded") throw new Error(outcome.why);

      const read = await openLedger(await fixture.open()).load(outcome.state.head);

      expect(outcome.state).toEqual(read);
      expect(read.stops["s1"]).toMatchObject({ why: "a [2J b", who: "eve Cause: Other" });
      expect((await fixture.messages())[0]?.trim()).toBe(
        `stop Actor: root\n\nActor: eve Cause: Other\nCause: Test\nMain: ${main}`,
      );
    });

    test("8.2 a push is a compare-and-swap: the second of two planners is overtaken", async () => {
      const fixture = await make();
      const [one, two] = [openLedger(await fixture.open()), openLedger(await fixture.open())];
      const first = await one.record(makeEntry("baseline", makeState()), undefined);
      if (first.kind !== "recorded") throw new Error(first.why);
      await one.record(makeEntry("faster", { ...first.state, sequence: 2 }), first.state);

      const late = await two.record(makeEntry("slower", { ...first.state, sequence: 2 }), first.state);
      const again = await two.record(makeEntry("a second baseline", makeState()), undefined);

      expect([late.kind, again.kind]).toEqual(["overtaken", "overtaken"]);
      expect((await fixture.messages()).map((message) => message.split("\n")[0])).toEqual(["baseline", "faster"]);
    });

    test("a tree that meshroll did not write is refused with the file's name", async () => {
      const fixture = await make();
      const branch = await fixture.open();
      const author = { name: "ana", email: "ana@example.com" };
      const pushed = await branch.commitAndPush({
        branch: "meshroll/ledger",
        files: { baseline: '{"version":1}' },
        message: "x",
        author,
      });
      if (pushed.kind !== "pushed") throw new Error(pushed.why);

      await expect(openLedger(await fixture.open()).load(pushed.sha)).rejects.toThrow(
        /baseline in branch meshroll\/ledger/,
      );
    });
  });
}
