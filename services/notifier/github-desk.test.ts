import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote } from "#fakes/git";
import { createFakeForge, type FakeForge } from "#fakes/github";
import type { Event } from "#libs/events";
import { describe, expect, it } from "vitest";

import type { Desk } from "./desk.ts";
import { createEnvironments } from "./environments.ts";
import { createGithubDesk } from "./github-desk.ts";
import { createNotifyBook } from "./notify-book.ts";
import { createPacer } from "./pacer.ts";
import { createRunBook, type RunBook } from "./run-book.ts";
import * as make from "./test-world.ts";

const { run } = make;
const everyMs = 60_000;

interface World {
  readonly forge: FakeForge;
  readonly desk: Desk;
  readonly runs: RunBook;
  readonly commit: string;
  /** Another process that knows nothing yet. */
  readonly other: () => { readonly desk: Desk; readonly runs: RunBook };
  readonly pass: (ms: number) => void;
  /** What the notifier wrote. */
  readonly writes: () => readonly string[];
  /** The comment's first line. */
  readonly readComment: () => Promise<string | undefined>;
}

/** A merged pull request, 1, and its commit. */
async function makeWorld(notify = make.notifyOf()): Promise<World> {
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  remote.commitTo("half", { files: { "rollouts.yml": "two\n" } });
  const forge = createFakeForge({ remote });
  const pull = await forge.as("ana").openPullRequest({ branch: "half", base: "main", title: "5 to 25", body: "" });
  const merged = await forge.as("ana").merge(pull.number, pull.headSha);
  const commit = merged.kind === "merged" ? merged.sha : "";
  const server = createFakeBusServer();
  let now = 1_000_000;
  const open = () => {
    const runs = createRunBook({ monotonic: () => now, wall: () => now });
    runs.setStatus(make.statusOf());
    const rules = createNotifyBook();
    rules.set(notify);
    const bucket = openFakeBus(server).bucket("status");
    const pacer = createPacer(bucket, everyMs, () => now);
    const environments = createEnvironments(bucket);
    return { runs, desk: createGithubDesk({ forge: forge.as("meshroll"), runs, rules, pacer, environments }) };
  };
  const { runs, desk } = open();
  return {
    forge,
    desk,
    runs,
    commit,
    other: open,
    pass: (ms) => void (now += ms),
    writes: () => forge.writes.filter((each) => !/^(open|merge) /.test(each)),
    readComment: async () => (await forge.as("ana").comments(1))[0]?.body.split("\n")[1],
  };
}

async function tellAll({ desk, runs }: Pick<World, "desk" | "runs">, ...events: readonly Event[]): Promise<void> {
  for (const event of events) {
    runs.note(event);
    await desk.tell(make.toldOf(event));
  }
}

const handedOut = (cluster: string, id = `b-${cluster}`) =>
  make.eventOf("batchHandedOut", id, { run, cluster, workloads: [] });

describe("a deployment for each cluster", () => {
  it("is queued, in progress, and ends as its cluster did", async () => {
    const world = await makeWorld();
    const started = make.startedOf({ commit: world.commit, clusters: ["one", "two"] });
    const clusters = [
      { name: "one", aside: 0, failed: 0 },
      { name: "two", aside: 1, failed: 1 },
    ];
    await tellAll(
      world,
      started,
      handedOut("one"),
      handedOut("two"),
      make.failedOf("a/Deployment/x", 60, "ReadinessTimeout", "two"),
    );
    await tellAll(world, handedOut("two", "again"), make.doneOf({ clusters, aside: 1 }));
    expect(world.writes().filter((each) => each.startsWith("deployment"))).toEqual([
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

  it("of the commit before is inactive once the next one is through", async () => {
    const world = await makeWorld();
    await tellAll(world, make.startedOf({ commit: world.commit, clusters: ["one"] }), make.doneOf());
    const [next, commit] = ["fedcbafedcba", "f".repeat(40)];
    const data = { run: next, commit, subject: "s", author: "ana", workloads: 1, clusters: ["one"] };
    const done = { run: next, state: "done", arrived: 1, aside: 0 } as const;
    await tellAll(world, make.eventOf("runStarted", "n1", data), make.eventOf("runDone", "n2", done));
    expect(
      world
        .writes()
        .filter((each) => each.startsWith("deployment"))
        .slice(2),
    ).toEqual(["deployment 2 queued", "deployment 2 success", "deployment 1 inactive"]);
  });

  it("told again, also by a process that was just started, changes nothing", async () => {
    const world = await makeWorld();
    const done = make.doneOf({ commit: world.commit, clusters: [{ name: "one", aside: 0, failed: 0 }] });
    const events = [make.startedOf({ commit: world.commit, clusters: ["one"] }), handedOut("one"), done];
    await tellAll(world, ...events);
    const before = world.writes().length;
    await tellAll(world, ...events);
    await tellAll(world.other(), done);
    expect(world.writes()).toHaveLength(before);
  });

  it("of a run whose commit nobody knows waits for its end, which says it", async () => {
    const world = await makeWorld();
    const { desk, runs } = world.other();
    await tellAll({ desk, runs }, handedOut("one"));
    expect(world.writes()).toEqual([]);
    await tellAll(
      { desk, runs },
      make.doneOf({ commit: world.commit, clusters: [{ name: "one", aside: 0, failed: 0 }] }),
    );
    expect(world.writes()).toEqual(["deployment 1 success", "comment 1"]);
  });

  it("of a run that is gone from main is inactive", async () => {
    const world = await makeWorld();
    await tellAll(world, make.startedOf({ commit: world.commit, clusters: ["one"] }), make.doneOf({ state: "gone" }));
    expect(world.writes()).toContain("deployment 1 inactive");
  });
});

describe("the status comment", () => {
  it("10.3 is one, edited at most once a minute for each run, and always at the end", async () => {
    const world = await makeWorld();
    const { desk, runs, forge, pass } = world;
    runs.note(make.startedOf({ commit: world.commit }));
    for (let second = 0; second < 180; second += 1) {
      runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ arrived: Math.floor(second / 5) })] }));
      await desk.refresh();
      pass(1000);
    }
    expect(forge.writes).toEqual(["comment 1", "comment 1", "comment 1"]);
    expect(await world.readComment()).toBe(`### Run \`${run}\` is running`);
    await tellAll(world, make.doneOf());
    expect(forge.writes).toHaveLength(4);
    expect(await world.readComment()).toBe(`### Run \`${run}\` is done since 2026-11-21T13:10:00.000Z`);
    pass(120_000);
    runs.setStatus(make.statusOf({ runs: [] }));
    await desk.refresh();
    expect(forge.writes).toHaveLength(4);
    expect(await forge.as("ana").comments(1)).toHaveLength(1);
  });

  it("two notifiers write no more than one would", async () => {
    const world = await makeWorld();
    const other = world.other();
    const both = [world, other];
    for (const { runs } of both) runs.note(make.startedOf({ commit: world.commit }));
    for (let second = 0; second < 121; second += 1) {
      const status = make.statusOf({ runs: [make.runStatusOf({ arrived: Math.floor(second / 3) })] });
      for (const { runs } of both) runs.setStatus(status);
      await Promise.all(both.map(async ({ desk }) => desk.refresh()));
      world.pass(1000);
    }
    expect(world.writes()).toEqual(["comment 1", "comment 1", "comment 1"]);
  });

  it("a direct push has none, and is asked for once", async () => {
    const world = await makeWorld();
    world.runs.note(make.startedOf({ commit: "e".repeat(40) }));
    await world.desk.refresh();
    await world.desk.refresh();
    expect(world.writes()).toEqual([]);
  });

  it("while GitHub is away nothing is lost: the newest state is written when it is back", async () => {
    const world = await makeWorld();
    world.runs.note(make.startedOf({ commit: world.commit }));
    world.forge.setUnavailable(true);
    await expect(world.desk.refresh()).rejects.toThrow("down");
    world.runs.note(make.doneOf());
    world.forge.setUnavailable(false);
    await world.desk.refresh();
    expect(await world.readComment()).toContain("is done");
    expect(world.writes()).toEqual(["comment 1"]);
  });
});

it("500 batches make one comment, at most one edit a minute", async () => {
  const world = await makeWorld();
  await tellAll(world, make.startedOf({ commit: world.commit, clusters: ["one"] }));
  for (let batch = 0; batch < 500; batch += 1) {
    await tellAll(world, handedOut("one", `b${batch}`));
    world.runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ commit: world.commit, arrived: batch % 40 })] }));
    await world.desk.refresh();
    world.pass(1000);
  }
  expect(await world.forge.as("ana").comments(1)).toHaveLength(1);
  const edits = world.writes().filter((each) => each === "comment 1").length;
  expect(edits).toBeGreaterThan(5);
  expect(edits).toBeLessThanOrEqual(9);
});

describe("the dashboard issue", () => {
  const github = { dashboardIssue: true, deployments: false, labels: [] };
  const wanted = make.notifyOf({ fleet: { github } });
  const issues = async ({ forge }: World) => forge.as("ana").listIssues("meshroll");

  it("is made when a campaign asks for it, once, and edited in place at most once a minute", async () => {
    const world = await makeWorld(wanted);
    const second = world.other();
    await world.desk.refresh();
    await second.desk.refresh();
    expect((await issues(world)).map(({ title }) => title)).toEqual(["Mesh rollouts"]);
    for (let minute = 0; minute < 3; minute += 1) {
      for (let step = 0; step < 60; step += 1) {
        const stops = [make.stopOf(`v${minute}-${step}`, "cluster/one")];
        for (const { runs, desk } of [world, second]) {
          runs.setStatus(make.statusOf({ stops, at: new Date(make.startAt + step).toISOString() }));
          await desk.refresh();
        }
        world.pass(1000);
      }
    }
    const edits = world.writes().filter((each) => each.includes("issue"));
    expect(edits.length).toBeLessThanOrEqual(4);
    expect((await issues(world))[0]?.body).toContain("`cluster/one` paused by ana: 5xx. Lift:");
    expect(await issues(world)).toHaveLength(1);
  });

  it("is not edited because a figure changed, but at each tenth of a run", async () => {
    const world = await makeWorld(wanted);
    const edits = async (arrived: number): Promise<number> => {
      world.pass(61_000);
      world.runs.setStatus(make.statusOf({ runs: [make.runStatusOf({ arrived, moving: 40 - arrived })] }));
      await world.desk.refresh();
      return world.writes().filter((each) => each.startsWith("edit issue")).length;
    };
    const [first, ...later] = [await edits(0), await edits(1), await edits(3), await edits(4), await edits(5)];
    expect([first, later]).toEqual([0, [0, 0, 1, 1]]);
  });

  it("a lost answer makes no second one", async () => {
    const world = await makeWorld(wanted);
    world.forge.setUnavailable(true);
    await expect(world.desk.refresh()).rejects.toThrow("is down");
    world.forge.setUnavailable(false);
    await world.desk.refresh();
    await world.other().desk.refresh();
    expect(await issues(world)).toHaveLength(1);
  });

  it("without anybody who asks there is none; and no deployment where the rule says so", async () => {
    const world = await makeWorld();
    await world.desk.refresh();
    expect(await issues(world)).toEqual([]);
    const silent = await makeWorld(wanted);
    await tellAll(silent, make.startedOf({ commit: silent.commit, clusters: ["one"] }), handedOut("one"));
    expect(silent.writes().filter((each) => each.startsWith("deployment"))).toEqual([]);
  });
});
