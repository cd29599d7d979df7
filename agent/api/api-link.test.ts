import { createVirtualClock } from "#fakes/runtime";
import { readVmReport } from "#libs/events";
import type { VmReport } from "#libs/fleet";
import { createLogger } from "#libs/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import type { Report } from "../report/report.ts";
import type { Answered, ApiClient } from "./api-client.ts";
import { createApiLink } from "./api-link.ts";

const report: Report = {
  formatVersion: 1,
  at: "2026-01-01T00:00:00.000Z",
  version: "0.2.0",
  tag: null,
  revision: "1-24-5",
  attempted: null,
  inProgress: false,
  ready: true,
  reason: { code: "TagUnset" },
  message: "it has no tag",
};
const changed: Report = { ...report, ready: false };

type Reply = Awaited<ReturnType<ApiClient["report"]>>;
const silent: Reply = { kind: "silent", why: "it answers 503" };
const refused = (status: number): Reply => ({ kind: "refused", status, why: `it answers ${status}` });
const tagged: Reply = { kind: "answered", value: { tag: "1-25-2", pollSeconds: 30 } };

interface Setting {
  readonly credential?: string;
  readonly joinToken?: string;
  /** For each report in turn; the last one stays. */
  readonly replies?: readonly Reply[];
  readonly registers?: Answered<{ readonly credential: string; readonly pollSeconds: number }>;
  readonly failWrites?: true;
}

function openLink(setting: Setting) {
  const { replies = [tagged], joinToken, registers } = setting;
  const clock = createVirtualClock();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const lines: string[] = [];
  let stored = setting.credential;
  let kept = stored;
  const sent: { readonly at: number; readonly credential: string; readonly report: VmReport | undefined }[] = [];
  const registered: string[] = [];
  const heard: (string | null)[] = [];
  const link = createApiLink({
    client: {
      async register(token, { name, address }) {
        registered.push(`${token} ${name} ${address}`);
        return registers ?? { kind: "answered", value: { credential: "a-new-one", pollSeconds: 30 } };
      },
      async report(credential, body) {
        sent.push({ at: clock.monotonic(), credential, report: readVmReport(body) });
        return replies[Math.min(sent.length, replies.length) - 1] ?? tagged;
      },
    },
    credentials: {
      read: async () => kept,
      async write(_, credential) {
        kept = credential;
        if (setting.failWrites === true) throw new Error("ENOSPC");
        stored = credential;
      },
      readJoinToken: async () => joinToken,
    },
    joinTokenPath: "/etc/meshroll-agent/join-token",
    findName: async () => "vm-1",
    findAddress: () => "10.0.0.7",
    hear: async (tag) => void heard.push(tag),
    clock,
    random: () => 0.5,
    log: createLogger("agent", [], "debug", (line) => void lines.push(line)),
  });
  void link.run(stop.signal);
  return { link, clock, lines, sent, registered, heard, stored: () => stored, times: () => sent.map(({ at }) => at) };
}

describe("the first report", () => {
  it("waits until there is one, registers with the join token, and brings the tag", async () => {
    const opened = openLink({ joinToken: "join" });
    await opened.clock.advance(5000);
    expect(opened.registered).toEqual([]);
    await opened.link.tell(report);
    await opened.clock.settle();
    expect(opened.registered).toEqual(["join vm-1 10.0.0.7"]);
    expect(opened.sent).toMatchObject([
      { credential: "a-new-one", report: { address: "10.0.0.7", agent: "0.2.0", code: "TagUnset" } },
    ]);
    expect([opened.heard, opened.stored()]).toEqual([["1-25-2"], "a-new-one"]);
  });

  it("goes out though the credential cannot be written: a full disk is one of the things to report", async () => {
    const opened = openLink({ joinToken: "join", failWrites: true });
    await opened.link.tell(report);
    await opened.clock.advance(31_000);
    expect(opened.sent).toMatchObject([{ credential: "a-new-one" }, { credential: "a-new-one" }]);
    expect(opened.registered.length).toBe(1);
  });

  it("without a join token nothing is sent, and the log says once where it belongs", async () => {
    const opened = openLink({});
    await opened.link.tell(report);
    await opened.clock.advance(3_600_000);
    expect(opened.sent).toEqual([]);
    expect(opened.lines.filter((line) => line.includes("/etc/meshroll-agent/join-token")).length).toBe(1);
  });
});

describe("when the next report is sent", () => {
  const cases = [
    { name: "after the poll", replies: [tagged], wantTimes: [0, 30_000, 60_000] },
    {
      name: "as often as the api says",
      replies: [{ kind: "answered", value: { tag: null, pollSeconds: 60 } }] satisfies Reply[],
      wantTimes: [0, 60_000, 120_000],
    },
    {
      name: "less and less often while there is no answer, at most every five minutes",
      replies: [silent],
      wantTimes: [0, 30_000, 90_000, 210_000, 450_000, 750_000, 1_050_000],
    },
    {
      name: "as before once there is an answer",
      replies: [silent, silent, tagged],
      wantTimes: [0, 30_000, 90_000, 120_000],
    },
    { name: "slowly after a refusal", replies: [refused(404)], wantTimes: [0, 300_000, 600_000] },
    { name: "sooner where the name was in use", replies: [refused(409)], wantTimes: [0, 120_000, 240_000] },
  ];
  it.each(cases)("$name", async ({ replies, wantTimes }) => {
    const opened = openLink({ credential: "own", replies });
    await opened.link.tell(report);
    await opened.clock.advance(wantTimes.at(-1) ?? 0);
    expect(opened.times()).toEqual(wantTimes);
  });

  it("at once when the agent's state changed, and at most once a second", async () => {
    const opened = openLink({ credential: "own" });
    await opened.link.tell(report);
    await opened.clock.advance(10_000);
    await opened.link.tell(changed);
    await opened.clock.settle();
    for (const each of [report, changed, report]) {
      await opened.clock.advance(100);
      await opened.link.tell(each);
    }
    await opened.clock.advance(5000);
    expect(opened.times()).toEqual([0, 10_000, 11_000]);
    expect(opened.sent.map((each) => each.report?.ready)).toEqual([true, false, true]);
  });

  it("a change brings no request to an api that does not answer", async () => {
    const opened = openLink({ credential: "own", replies: [silent] });
    await opened.link.tell(report);
    await opened.clock.advance(10_000);
    await opened.link.tell(changed);
    await opened.clock.advance(10_000);
    expect(opened.times()).toEqual([0]);
  });
});

describe("the age of a report", () => {
  it("is that of the agent's last turn: a report of one that hangs grows old", async () => {
    const opened = openLink({ credential: "own" });
    await opened.link.tell(report);
    await opened.clock.advance(60_000);
    opened.link.beat();
    await opened.clock.advance(120_000);
    const ages = opened.sent.map(({ at, report: of }) => at - (Date.parse(of?.at ?? "") - Date.UTC(2026, 0, 1)));
    expect(ages).toEqual([0, 0, 0, 0, 0, 0, 180_000]);
  });
});

describe("a credential that the api does not know", () => {
  it("is replaced by registering again, in the same turn", async () => {
    const opened = openLink({ credential: "old", joinToken: "join", replies: [refused(401), tagged] });
    await opened.link.tell(report);
    await opened.clock.settle();
    expect(opened.sent.map(({ credential }) => credential)).toEqual(["old", "a-new-one"]);
    expect(opened.stored()).toBe("a-new-one");
  });

  it("is kept where it cannot be replaced, as the api may be the one that is wrong", async () => {
    const opened = openLink({ credential: "old", replies: [refused(401), tagged] });
    await opened.link.tell(report);
    await opened.clock.advance(300_000);
    expect(opened.sent.map(({ credential }) => credential)).toEqual(["old", "old"]);
    expect(opened.stored()).toBe("old");
  });

  it("where the new one is unknown too, it waits, and does not register again and again", async () => {
    const opened = openLink({ credential: "old", joinToken: "join", replies: [refused(401)] });
    await opened.link.tell(report);
    await opened.clock.advance(299_000);
    expect([opened.sent.length, opened.registered.length]).toEqual([2, 1]);
  });

  it("of the key before is replaced by the one in the answer", async () => {
    const value = { tag: null, pollSeconds: 30, credential: "newest" };
    const opened = openLink({ credential: "old", replies: [{ kind: "answered", value }, tagged] });
    await opened.link.tell(report);
    await opened.clock.advance(30_000);
    expect(opened.sent.map(({ credential }) => credential)).toEqual(["old", "newest"]);
  });
});

it("a problem is named once in the log, and its end", async () => {
  const opened = openLink({ credential: "own", replies: [silent, silent, silent, tagged] });
  await opened.link.tell(report);
  await opened.clock.advance(300_000);
  expect(opened.lines.filter((line) => line.includes("it answers 503")).length).toBe(1);
  expect(opened.lines.filter((line) => line.includes("takes this VM's report again")).length).toBe(1);
});

it("no answer says nothing about the tag", async () => {
  const opened = openLink({ credential: "own", replies: [silent, refused(404)] });
  await opened.link.tell(report);
  await opened.clock.advance(60_000);
  expect(opened.heard).toEqual([]);
});
