import { BusRefused, openBus } from "#libs/bus";
import { testInstallation } from "#libs/input";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { dialAs, openAs } from "./broker-logins.ts";
import { useOwnBroker } from "./own-broker.ts";

const nats = useOwnBroker("nats", ["east", "west"]);

const logins = ["planner", "executor-east", "executor-west", "notifier", "api", "cli"] as const;
type Login = (typeof logins)[number];

const open = async (login: string) => openAs(nats(), login);

const keys = {
  "control state": ["control", "state"],
  "a request": ["control", "request.x"],
  "the fleet's status": ["status", "fleet"],
  "the settings of notifications": ["status", "notify"],
  "the planner's notifications": ["status", "notifications"],
  "who leads": ["status", "leader"],
  "an answer": ["status", "answer.x"],
  "a picture": ["status", "pictures.1"],
  "the record of sent messages": ["status", "told.slack.x"],
  "inventory of east": ["inventory", "east.shop"],
  "the cluster east itself": ["inventory", "east._"],
  "inventory of west": ["inventory", "west.shop"],
  "a report of a VM": ["vms", "reports.east.shop/web.v1/vm-1"],
  "the tag of a VM": ["vms", "tags.east.shop/web.v1/vm-1"],
  "the rows of a VM group": ["vms", "groups.east.shop/web.v1"],
} as const;
type Key = keyof typeof keys;

/** Who may write what; all others are refused. */
const writers: Readonly<Record<Key, readonly Login[]>> = {
  "control state": ["planner"],
  "a request": ["planner", "cli"],
  "the fleet's status": ["planner"],
  "the settings of notifications": ["planner"],
  "the planner's notifications": ["planner"],
  "who leads": ["planner"],
  "an answer": ["planner"],
  "a picture": ["planner"],
  "the record of sent messages": ["notifier"],
  "inventory of east": ["executor-east"],
  "the cluster east itself": ["executor-east"],
  "inventory of west": ["executor-west"],
  "a report of a VM": ["api"],
  "the tag of a VM": ["executor-east"],
  "the rows of a VM group": ["executor-east"],
};

/** Who may read what by key; watches are rights of their own, below. */
const readers: Readonly<Record<Key, readonly Login[]>> = {
  "control state": ["planner", "cli"],
  "a request": ["planner"],
  "the fleet's status": ["planner", "cli"],
  "the settings of notifications": [],
  "the planner's notifications": ["planner"],
  "who leads": ["planner"],
  "an answer": [],
  "a picture": ["planner", "api"],
  "the record of sent messages": ["notifier"],
  "inventory of east": [],
  "the cluster east itself": ["executor-east"],
  "inventory of west": [],
  "a report of a VM": [],
  "the tag of a VM": ["executor-east"],
  "the rows of a VM group": [],
};

const subjects = {
  "a run": "meshroll.v1.run.v1.done",
  "a stop": "meshroll.v1.stop.v1.placed",
  "a batch that was handed out": "meshroll.v1.batch.v1.handedOut",
  "a batch that ended": "meshroll.v1.batch.v1.ended",
  "a workload": "meshroll.v1.workload.v1.failed",
  "a hint": "meshroll.v1.hint.v1.github",
} as const;
type Subject = keyof typeof subjects;

const publishers: Readonly<Record<Subject, readonly Login[]>> = {
  "a run": ["planner"],
  "a stop": ["planner"],
  "a batch that was handed out": ["planner"],
  "a batch that ended": ["executor-east", "executor-west"],
  "a workload": ["executor-east", "executor-west"],
  "a hint": ["api"],
};

/** Who may read the last messages of the stream. */
const recallers: readonly Login[] = ["notifier", "api"];

function listPairs<Thing extends string>(allowed: Readonly<Record<Thing, readonly Login[]>>) {
  return (Object.keys(allowed) as Thing[]).flatMap((thing) =>
    logins.map((login) => ({ login, thing, may: allowed[thing].includes(login) })),
  );
}

/** The server's error, or that the call worked. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (error instanceof BusRefused) return error.code ?? error.message;
    throw error;
  }
}

beforeAll(async () => {
  const bus = await openBus({ installation: testInstallation, url: nats().url, name: "test" });
  for (const [bucket, key] of Object.values(keys)) await bus.bucket(bucket).put(key, "written");
  await bus.publish("meshroll.v1.run.v1.started", "{}");
  await bus.close();
});

describe("each login at NATS can do what its service needs, and nothing else", () => {
  it.each(listPairs(writers))("$login writes $thing: $may", async ({ login, thing, may }) => {
    const [bucket, key] = keys[thing];
    const bus = await open(login);
    expect(await outcomeOf(bus.bucket(bucket).put(key, `by ${login}`))).toBe(may ? "done" : "BusRightMissing");
    if (!may) return;
    expect(await outcomeOf(bus.bucket(bucket).delete(key))).toBe("done");
  });

  it.each(listPairs(readers))("$login reads $thing by its key: $may", async ({ login, thing, may }) => {
    const [bucket, key] = keys[thing];
    expect(await outcomeOf((await open(login)).bucket(bucket).get(key))).toBe(may ? "done" : "BusRightMissing");
  });

  it.each(listPairs(publishers))("$login publishes $thing: $may", async ({ login, thing, may }) => {
    const published = (await open(login)).publish(subjects[thing], "{}");
    expect(await outcomeOf(published)).toBe(may ? "done" : "BusRightMissing");
  });

  it.each(logins)("only a login that notifies people reads the last messages of the stream: %s", async (login) => {
    const read = (await open(login)).recent(10);
    expect(await outcomeOf(read)).toBe(recallers.includes(login) ? "done" : "BusRightMissing");
  });

  const watches: readonly (readonly [Login, "control" | "status" | "inventory" | "vms", string])[] = [
    ["planner", "control", "request.*"],
    ["planner", "control", "state"],
    ["planner", "inventory", ">"],
    ["executor-east", "control", ">"],
    ["executor-east", "inventory", "east.*"],
    ["executor-east", "vms", "reports.east.>"],
    ["executor-east", "vms", "tags.east.>"],
    ["executor-east", "vms", "groups.east.>"],
    ["api", "vms", "reports.>"],
    ["api", "vms", "tags.>"],
    ["cli", "vms", "groups.>"],
    ["notifier", "status", "fleet"],
    ["notifier", "status", "notify"],
    ["api", "status", "fleet"],
    ["cli", "status", "answer.x"],
    ["cli", "inventory", "*._"],
    ["cli", "inventory", ">"],
  ];

  it.each(watches)("%s watches %s %s", async (login, bucket, pattern) => {
    const ready = Promise.withResolvers<string>();
    const watcher = { onEntry: () => undefined, onReset: () => undefined, onReady: () => ready.resolve("ready") };
    const bus = await open(login);
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await bus.bucket(bucket).watch(pattern, watcher, stop.signal);
    expect(bus.trouble()).toBe(undefined);
    expect(await ready.promise).toBe("ready");
  });

  it("the executor of one cluster cannot watch the inventory of another", async () => {
    const nc = await dialAs(nats(), "executor-east");
    const subject = "$JS.API.CONSUMER.CREATE.KV_inventory-testmeshroll.x.$KV.inventory-testmeshroll.west.*";
    await expect(nc.request(subject, "{}", { timeout: 30_000 })).rejects.toThrow("Permissions Violation");
  });

  it("a watch that is refused is reported as a lasting problem, too", async () => {
    const bus = await open("api");
    const watcher = { onEntry: () => undefined, onReset: () => undefined, onReady: () => undefined };
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await bus.bucket("status").watch("notify", watcher, stop.signal);
    expect(bus.trouble()).toMatchObject({ code: "BusRightMissing" });
  });

  it("a missing right is a lasting problem with an owner and a command, until it is granted", async () => {
    const bus = await open("notifier");
    await bus
      .bucket("control")
      .put("request.x", "{}")
      .catch(() => undefined);
    expect(bus.trouble()).toMatchObject({
      code: "BusRightMissing",
      owner: "NATS",
      help: expect.stringContaining("npm run logins") as string,
    });
  });
});
