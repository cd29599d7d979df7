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

interface Environment {
  readonly scm: FakeScm;
  readonly sink: Sink;
  readonly runs: RunStore;
  readonly commit: string;
  /** Another process with an empty memory. */
  readonly other: () => { readonly sink: Sink; readonly runs: RunStore };
  readonly pass: (ms: number) => void;
  /** What the notifier wrote. */
  readonly writes: () => readonly string[];
  /** The comment's first line. */
  readonly readComment: () => Promise<string | undefined>;
}

/** An environment with one merged pull request, number 1, and its commit. */
async function makeEnvironment(notify = make.notifyOf(), wrap: (scm: Scm) => Scm = (scm) => scm): Promise<Environment> {
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

async function tellAll({ sink, runs }: Pick<Environment, "sink" | "runs">, ...events: readonly Event[]): Promise<void> {
  for (const event of events) {
    runs.note(event);
    await sink.deliver(make.receivedOf(event));
  }
}

const handedOut = (cluster: string, id = `b-${cluster}`) => make.eventOf("batchHandedOut", id, { run, cluster });

describe("a deployment for each cluster", () => {
  it("is queued, in progress, and ends as its cluster did", async () => {
    const environment = await makeEnvironment();
    const started = make.startedOf({ commit: environment.commit, clusters: ["one", "two"] });
    const clusters = [
      { name: "one", skipped: 0, failed: 0 },
      { name: "two", skipped: 1, failed: 1 },
    ];
    await tellAll(
      environment,
      started,
      handedOut("one"),
      handedOut("two"),
      make.failedOf("a/Deployment/x", 60, "ReadinessTimeout", "two"),
    );
    await tellAll(environment, handedOut("two", "again"), make.doneOf({ clusters, skipped: 1 }));
    expect(environment.writes().filter((each) => each.startsWith("deployment"))).toEqual([
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

  it("that GitHub refuses does not prevent the others, and is tried again", async () => {
    const environment = await makeEnvironment(make.notifyOf(), (scm) => ({
      ...scm,
      async showDeployment(wanted) {
        if (wanted.environment === "one") throw new ScmRefused("no such environment", "make it");
        return scm.showDeployment(wanted);
      },
    }));
    const started = make.startedOf({ commit: environment.commit, clusters: ["one", "two"] });
    await expect(tellAll(environment, started)).rejects.toThrow("no such environment");
    expect(environment.writes()).toEqual(["deployment 1 queued"]);
  });

  it("of the previous commit becomes inactive when the next run ends", async () => {
    const environment = await makeEnvironment();
    await tellAll(environment, make.startedOf({ commit: environment.commit, clusters: ["one"] }), make.doneOf());
    const [next, commit] = ["fedcbafedcba", "f".repeat(40)];
    const data = { run: next, commit, subject: "s", author: "ana", workloads: 1, clusters: ["one"] };
    const done = { run: next, state: "done", migrated: 1, skipped: 0 } as const;
    await tellAll(environment, make.eventOf("runStarted", "n1", data), make.eventOf("runDone", "n2", done));
    expect(
      environment
        .writes()
        .filter((each) => each.startsWith("deployment"))
        .slice(2),
    ).toEqual(["deployment 2 queued", "deployment 2 success", "deployment 1 inactive"]);
  });

  it("does not change when messages are repeated, even by a new process", async () => {
    const environment = await makeEnvironment();
    const done = make.doneOf({ commit: environment.commit, clusters: [{ name: "one", skipped: 0, failed: 0 }] });
    const events = [make.startedOf({ commit: environment.commit, clusters: ["one"] }), handedOut("one"), done];
    await tellAll(environment, ...events);
    const before = environment.writes().length;
    await tellAll(environment, ...events);
    await tellAll(environment.other(), done);
    expect(environment.writes()).toHaveLength(before);
  });

  it("of a run with an unknown commit is shown at its end, which names it", async () => {
    const environment = await makeEnvironment();
    const { sink, runs } = environment.other();
    await tellAll({ sink, runs }, handedOut("one"));
    expect(environment.writes()).toEqual([]);
    await tellAll(
      { sink, runs },
      make.doneOf({ commit: environment.commit, clusters: [{ name: "one", skipped: 0, failed: 0 }] }),
    );
    expect(environment.writes()).toEqual(["deployment 1 success", "comment 1"]);
  });

  it("of a run whose commit vanished from main is inactive", async () => {
    const environment = await makeEnvironment();
    await tellAll(
      environment,
      make.startedOf({ commit: environment.commit, clusters: ["one"] }),
      make.doneOf({ state: "gone" }),
    );
    expect(environment.writes()).toContain("deployment 1 inactive");
  });
});

describe("the status comment", () => {
  it("10.3 is one for each run, edited at most once a minute, and always at the end", async () => {
    const environment = await makeEnvironment();
    const { sink, runs, scm, pass } = environment;
    runs.note(make.startedOf({ commit: environment.commit }));
    for (let second = 0; second < 180; second += 1) {
      runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated: Math.floor(second / 5) })] }));
      await sink.refresh();
      pass(1000);
    }
    expect(scm.writes).toEqual(["comment 1", "comment 1", "comment 1"]);
    expect(await environment.readComment()).toBe(`### Run \`${run}\` is running`);
    await tellAll(environment, make.doneOf());
    expect(scm.writes).toHaveLength(4);
    expect(await environment.readComment()).toBe(`### Run \`${run}\` is done since 2026-11-21T13:10:00.000Z`);
    pass(120_000);
    runs.setStatus(make.statusOf({ runs: [] }));
    await sink.refresh();
    expect(scm.writes).toHaveLength(4);
    expect(await scm.as("ana").comments(1)).toHaveLength(1);
  });

  it("two notifiers write only as much as one", async () => {
    const environment = await makeEnvironment();
    const other = environment.other();
    const both = [environment, other];
    for (const { runs } of both) runs.note(make.startedOf({ commit: environment.commit }));
    for (let second = 0; second < 121; second += 1) {
      const status = make.statusOf({ runs: [make.runStatusOf({ migrated: Math.floor(second / 3) })] });
      for (const { runs } of both) runs.setStatus(status);
      await Promise.all(both.map(async ({ sink }) => sink.refresh()));
      environment.pass(1000);
    }
    expect(environment.writes()).toEqual(["comment 1", "comment 1", "comment 1"]);
  });

  it("does not exist for a direct push, whose pull request is looked for a few times", async () => {
    let lookups = 0;
    const environment = await makeEnvironment(make.notifyOf(), (scm) => ({
      ...scm,
      async findByMergeCommit(commit) {
        lookups += 1;
        return scm.findByMergeCommit(commit);
      },
    }));
    environment.runs.note(make.startedOf({ commit: "e".repeat(40) }));
    for (let count = 0; count < 10; count += 1) await environment.sink.refresh();
    expect([environment.writes(), lookups]).toEqual([[], 3]);
  });

  it("exists for a merge that GitHub finds only after a while", async () => {
    let isFound = false;
    const environment = await makeEnvironment(make.notifyOf(), (scm) => ({
      ...scm,
      findByMergeCommit: async (commit) => (isFound ? scm.findByMergeCommit(commit) : undefined),
    }));
    environment.runs.note(make.startedOf({ commit: environment.commit }));
    await environment.sink.refresh();
    isFound = true;
    await environment.sink.refresh();
    expect(environment.writes()).toEqual(["comment 1"]);
  });

  it("shows the newest state after an outage of GitHub", async () => {
    const environment = await makeEnvironment();
    environment.runs.note(make.startedOf({ commit: environment.commit }));
    environment.scm.setUnavailable(true);
    await expect(environment.sink.refresh()).rejects.toThrow("down");
    environment.runs.note(make.doneOf());
    environment.scm.setUnavailable(false);
    await environment.sink.refresh();
    expect(await environment.readComment()).toContain("is done");
    expect(environment.writes()).toEqual(["comment 1"]);
  });
});

describe("the dashboard issue", () => {
  const github = { dashboardIssue: true, deployments: false, labels: [] };
  const wanted = make.notifyOf({ fleet: { github } });
  const issues = async ({ scm }: Environment) => scm.as("ana").listIssues("meshroll");

  it("is created once, when a campaign asks for it, and edited at most once a minute", async () => {
    const environment = await makeEnvironment(wanted);
    const second = environment.other();
    await environment.sink.refresh();
    await second.sink.refresh();
    expect((await issues(environment)).map(({ title }) => title)).toEqual(["Mesh rollouts"]);
    for (let minute = 0; minute < 3; minute += 1) {
      for (let step = 0; step < 60; step += 1) {
        const stops = [make.stopOf(`v${minute}-${step}`, "cluster/one")];
        for (const { runs, sink } of [environment, second]) {
          runs.setStatus(make.statusOf({ stops, at: new Date(make.startAt + step).toISOString() }));
          await sink.refresh();
        }
        environment.pass(1000);
      }
    }
    const edits = environment.writes().filter((each) => each.includes("issue"));
    expect(edits.length).toBeLessThanOrEqual(4);
    expect((await issues(environment))[0]?.body).toContain("`cluster/one` paused by ana: 5xx. Resume:");
    expect(await issues(environment)).toHaveLength(1);
  });

  it("is edited at each tenth of a run, not for each figure", async () => {
    const environment = await makeEnvironment(wanted);
    const edits = async (migrated: number): Promise<number> => {
      environment.pass(61_000);
      environment.runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ migrated, migrating: 40 - migrated })] }));
      await environment.sink.refresh();
      return environment.writes().filter((each) => each.startsWith("edit issue")).length;
    };
    const [first, ...later] = [await edits(0), await edits(1), await edits(3), await edits(4), await edits(5)];
    expect([first, later]).toEqual([0, [0, 0, 1, 1]]);
  });

  it("is not created twice after a lost answer", async () => {
    const environment = await makeEnvironment(wanted);
    environment.scm.setUnavailable(true);
    await expect(environment.sink.refresh()).rejects.toThrow("is down");
    environment.scm.setUnavailable(false);
    await environment.sink.refresh();
    await environment.other().sink.refresh();
    expect(await issues(environment)).toHaveLength(1);
  });

  it("does not exist if no file asks for it; deployments that a rule turns off do not exist", async () => {
    const environment = await makeEnvironment();
    await environment.sink.refresh();
    expect(await issues(environment)).toEqual([]);
    const silent = await makeEnvironment(wanted);
    await tellAll(silent, make.startedOf({ commit: silent.commit, clusters: ["one"] }), handedOut("one"));
    expect(silent.writes().filter((each) => each.startsWith("deployment"))).toEqual([]);
  });
});
