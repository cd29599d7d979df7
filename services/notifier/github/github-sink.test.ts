import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote } from "#fakes/git";
import { createFakeScm, type FakeScm } from "#fakes/scm";
import type { Event } from "#libs/events";
import { type Scm, ScmRefused } from "#libs/scm";
import { describe, expect, it } from "vitest";

import type { Sink } from "../delivery/sink.ts";
import { createEnvironments } from "./environments.ts";
import { createGithubSink } from "./github-sink.ts";
import { createNotifyStore } from "../facts/notify-store.ts";
import { createRateLimiter } from "../delivery/rate-limiter.ts";
import { createRunStore, type RunStore } from "../facts/run-store.ts";
import * as make from "../delivery/test-world.ts";

const { run } = make;
const everyMs = 60_000;

interface Snapshot {
  readonly scm: FakeScm;
  readonly sink: Sink;
  readonly runs: RunStore;
  readonly commit: string;
  /** Another process that knows nothing yet. */
  readonly other: () => { readonly sink: Sink; readonly runs: RunStore };
  readonly pass: (ms: number) => void;
  /** What the notifier wrote. */
  readonly writes: () => readonly string[];
  /** The comment's first line. */
  readonly readComment: () => Promise<string | undefined>;
}

/** A merged pull request, 1, and its commit. */
async function makeSnapshot(notify = make.notifyOf(), wrap: (scm: Scm) => Scm = (scm) => scm): Promise<Snapshot> {
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  remote.commitTo("half", { files: { "rollouts.yml": "two\n" } });
  const scm = createFakeScm({ remote });
  const pull = await scm.as("ana").openPullRequest({ branch: "half", base: "main", title: "5 to 25", body: "" });
  const merged = await scm.as("ana").merge(pull.number, pull.headSha);
  const commit = merged.kind === "merged" ? merged.sha : "";
  const server = createFakeBusServer();
  let now = 1_000_000;
  const open = () => {
    const runs = createRunStore({ monotonic: () => now, wall: () => now });
    runs.setStatus(make.statusOf());
    const rules = createNotifyStore();
    rules.set(notify);
    const bucket = openFakeBus(server).bucket("status");
    const rateLimiter = createRateLimiter(bucket, everyMs, () => now);
    const environments = createEnvironments(bucket);
    return { runs, sink: createGithubSink({ scm: wrap(scm.as("meshroll")), runs, rules, rateLimiter, environments }) };
  };
  const { runs, sink } = open();
  return {
    scm,
    sink,
    runs,
    commit,
    other: open,
    pass: (ms) => void (now += ms),
    writes: () => scm.writes.filter((each) => !/^(open|merge) /.test(each)),
    readComment: async () => (await scm.as("ana").comments(1))[0]?.body.split("\n")[1],
  };
}

async function tellAll({ sink, runs }: Pick<Snapshot, "sink" | "runs">, ...events: readonly Event[]): Promise<void> {
  for (const event of events) {
    runs.note(event);
    await sink.tell(make.toldOf(event));
  }
}

const handedOut = (cluster: string, id = `b-${cluster}`) => make.eventOf("batchHandedOut", id, { run, cluster });

describe("a deployment for each cluster", () => {
  it("is queued, in progress, and ends as its cluster did", async () => {
    const snapshot = await makeSnapshot();
    const started = make.startedOf({ commit: snapshot.commit, clusters: ["one", "two"] });
    const clusters = [
      { name: "one", skipped: 0, failed: 0 },
      { name: "two", skipped: 1, failed: 1 },
    ];
    await tellAll(
      snapshot,
      started,
      handedOut("one"),
      handedOut("two"),
      make.failedOf("a/Deployment/x", 60, "ReadinessTimeout", "two"),
    );
    await tellAll(snapshot, handedOut("two", "again"), make.doneOf({ clusters, skipped: 1 }));
    expect(snapshot.writes().filter((each) => each.startsWith("deployment"))).toEqual([
      "deployment 1 queued",
      "deployment 2 queued",
      "deployment 1 in_progress",
      "deployment 2 in_progress",
      "deployment 2 failure",
      "deployment 2 in_progress",
      "deployment 1 success",
      "deployment 2 failure",
    ]);
  });

  it("that GitHub refuses keeps no other cluster's from being shown, and is tried again", async () => {
    const snapshot = await makeSnapshot(make.notifyOf(), (scm) => ({
      ...scm,
      async showDeployment(wanted) {
        if (wanted.environment === "one") throw new ScmRefused("no such environment", "make it");
        return scm.showDeployment(wanted);
      },
    }));
    const started = make.startedOf({ commit: snapshot.commit, clusters: ["one", "two"] });
    await expect(tellAll(snapshot, started)).rejects.toThrow("no such environment");
    expect(snapshot.writes()).toEqual(["deployment 1 queued"]);
  });

  it("of the commit before is inactive once the next one is through", async () => {
    const snapshot = await makeSnapshot();
    await tellAll(snapshot, make.startedOf({ commit: snapshot.commit, clusters: ["one"] }), make.doneOf());
    const [next, commit] = ["fedcbafedcba", "f".repeat(40)];
    const data = { run: next, commit, subject: "s", author: "ana", workloads: 1, clusters: ["one"] };
    const done = { run: next, state: "done", migrated: 1, skipped: 0 } as const;
    await tellAll(snapshot, make.eventOf("runStarted", "n1", data), make.eventOf("runDone", "n2", done));
    expect(
      snapshot
        .writes()
        .filter((each) => each.startsWith("deployment"))
        .slice(2),
    ).toEqual(["deployment 2 queued", "deployment 2 success", "deployment 1 inactive"]);
  });

  it("told again, also by a process that was just started, changes nothing", async () => {
    const snapshot = await makeSnapshot();
    const done = make.doneOf({ commit: snapshot.commit, clusters: [{ name: "one", skipped: 0, failed: 0 }] });
    const events = [make.startedOf({ commit: snapshot.commit, clusters: ["one"] }), handedOut("one"), done];
    await tellAll(snapshot, ...events);
    const before = snapshot.writes().length;
    await tellAll(snapshot, ...events);
    await tellAll(snapshot.other(), done);
    expect(snapshot.writes()).toHaveLength(before);
  });

  it("of a run whose commit is unknown waits for its end, which says it", async () => {
    const snapshot = await makeSnapshot();
    const { sink, runs } = snapshot.other();
    await tellAll({ sink, runs }, handedOut("one"));
    expect(snapshot.writes()).toEqual([]);
    await tellAll(
      { sink, runs },
      make.doneOf({ commit: snapshot.commit, clusters: [{ name: "one", skipped: 0, failed: 0 }] }),
    );
    expect(snapshot.writes()).toEqual(["deployment 1 success", "comment 1"]);
  });

  it("of a run that is gone from main is inactive", async () => {
    const snapshot = await makeSnapshot();
    await tellAll(
      snapshot,
      make.startedOf({ commit: snapshot.commit, clusters: ["one"] }),
      make.doneOf({ state: "gone" }),
    );
    expect(snapshot.writes()).toContain("deployment 1 inactive");
  });
});

describe("the status comment", () => {
  it("10.3 is one, edited at most once a minute for each run, and always at the end", async () => {
    const snapshot = await makeSnapshot();
    const { sink, runs, scm, pass } = snapshot;
    runs.note(make.startedOf({ commit: snapshot.commit }));
    for (let second = 0; second < 180; second += 1) {
      runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated: Math.floor(second / 5) })] }));
      await sink.refresh();
      pass(1000);
    }
    expect(scm.writes).toEqual(["comment 1", "comment 1", "comment 1"]);
    expect(await snapshot.readComment()).toBe(`### Run \`${run}\` is running`);
    await tellAll(snapshot, make.doneOf());
    expect(scm.writes).toHaveLength(4);
    expect(await snapshot.readComment()).toBe(`### Run \`${run}\` is done since 2026-11-21T13:10:00.000Z`);
    pass(120_000);
    runs.setStatus(make.statusOf({ runs: [] }));
    await sink.refresh();
    expect(scm.writes).toHaveLength(4);
    expect(await scm.as("ana").comments(1)).toHaveLength(1);
  });

  it("two notifiers write no more than one would", async () => {
    const snapshot = await makeSnapshot();
    const other = snapshot.other();
    const both = [snapshot, other];
    for (const { runs } of both) runs.note(make.startedOf({ commit: snapshot.commit }));
    for (let second = 0; second < 121; second += 1) {
      const status = make.statusOf({ runs: [make.runStatusOf({ migrated: Math.floor(second / 3) })] });
      for (const { runs } of both) runs.setStatus(status);
      await Promise.all(both.map(async ({ sink }) => sink.refresh()));
      snapshot.pass(1000);
    }
    expect(snapshot.writes()).toEqual(["comment 1", "comment 1", "comment 1"]);
  });

  it("a direct push has none, and is asked for once", async () => {
    const snapshot = await makeSnapshot();
    snapshot.runs.note(make.startedOf({ commit: "e".repeat(40) }));
    await snapshot.sink.refresh();
    await snapshot.sink.refresh();
    expect(snapshot.writes()).toEqual([]);
  });

  it("while GitHub is away nothing is lost: the newest state is written when it is back", async () => {
    const snapshot = await makeSnapshot();
    snapshot.runs.note(make.startedOf({ commit: snapshot.commit }));
    snapshot.scm.setUnavailable(true);
    await expect(snapshot.sink.refresh()).rejects.toThrow("down");
    snapshot.runs.note(make.doneOf());
    snapshot.scm.setUnavailable(false);
    await snapshot.sink.refresh();
    expect(await snapshot.readComment()).toContain("is done");
    expect(snapshot.writes()).toEqual(["comment 1"]);
  });
});

describe("the dashboard issue", () => {
  const github = { dashboardIssue: true, deployments: false, labels: [] };
  const wanted = make.notifyOf({ fleet: { github } });
  const issues = async ({ scm }: Snapshot) => scm.as("ana").listIssues("meshroll");

  it("is made when a campaign asks for it, once, and edited in place at most once a minute", async () => {
    const snapshot = await makeSnapshot(wanted);
    const second = snapshot.other();
    await snapshot.sink.refresh();
    await second.sink.refresh();
    expect((await issues(snapshot)).map(({ title }) => title)).toEqual(["Mesh rollouts"]);
    for (let minute = 0; minute < 3; minute += 1) {
      for (let step = 0; step < 60; step += 1) {
        const stops = [make.stopOf(`v${minute}-${step}`, "cluster/one")];
        for (const { runs, sink } of [snapshot, second]) {
          runs.setStatus(make.statusOf({ stops, at: new Date(make.startAt + step).toISOString() }));
          await sink.refresh();
        }
        snapshot.pass(1000);
      }
    }
    const edits = snapshot.writes().filter((each) => each.includes("issue"));
    expect(edits.length).toBeLessThanOrEqual(4);
    expect((await issues(snapshot))[0]?.body).toContain("`cluster/one` paused by ana: 5xx. Resume:");
    expect(await issues(snapshot)).toHaveLength(1);
  });

  it("is not edited because a figure changed, but at each tenth of a run", async () => {
    const snapshot = await makeSnapshot(wanted);
    const edits = async (migrated: number): Promise<number> => {
      snapshot.pass(61_000);
      snapshot.runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated, migrating: 40 - migrated })] }));
      await snapshot.sink.refresh();
      return snapshot.writes().filter((each) => each.startsWith("edit issue")).length;
    };
    const [first, ...later] = [await edits(0), await edits(1), await edits(3), await edits(4), await edits(5)];
    expect([first, later]).toEqual([0, [0, 0, 1, 1]]);
  });

  it("a lost answer makes no second one", async () => {
    const snapshot = await makeSnapshot(wanted);
    snapshot.scm.setUnavailable(true);
    await expect(snapshot.sink.refresh()).rejects.toThrow("is down");
    snapshot.scm.setUnavailable(false);
    await snapshot.sink.refresh();
    await snapshot.other().sink.refresh();
    expect(await issues(snapshot)).toHaveLength(1);
  });

  it("without a file that asks for it there is none; and no deployment where the rule says so", async () => {
    const snapshot = await makeSnapshot();
    await snapshot.sink.refresh();
    expect(await issues(snapshot)).toEqual([]);
    const silent = await makeSnapshot(wanted);
    await tellAll(silent, make.startedOf({ commit: silent.commit, clusters: ["one"] }), handedOut("one"));
    expect(silent.writes().filter((each) => each.startsWith("deployment"))).toEqual([]);
  });
});
