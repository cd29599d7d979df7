import { openBus } from "#libs/bus";
import { makeEvent, nameSubject } from "#libs/events";
import { testInstallation } from "#libs/input";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { headers } from "@nats-io/transport-node";
import { expect, it, onTestFinished, vi } from "vitest";

import { dialAs, openAs } from "./broker-logins.ts";
import { useOwnBroker } from "./own-broker.ts";
import { waitOptions } from "./wait-options.ts";

const nats = useOwnBroker("nats", ["east", "west"]);

/** Opens the bus as the planner, which creates and updates buckets and stream. */
async function openPlanner() {
  const url = nats().urlOf("planner");
  const bus = await openBus({ installation: testInstallation, url, name: "test", createsStorage: true });
  onTestFinished(async () => bus.close());
  return bus;
}

/** Sends a message with headers that our own code never sends, and returns the server's answer. */
async function send(login: string, subject: string, fields: Readonly<Record<string, string>>, body = "x") {
  const nc = await dialAs(nats(), login);
  const sent = headers();
  for (const [name, value] of Object.entries(fields)) sent.set(name, value);
  return (await nc.request(subject, body, { headers: sent, timeout: 30_000 })).string();
}

/** Keys of each bucket that other logins have written before the attack. */
const neighbouring = {
  control: ["state", "request.1"],
  status: ["fleet", "told.x"],
  inventory: ["west._", "west.shop"],
} as const;

const neighbours = [
  { login: "executor-east", bucket: "inventory", key: "east.shop" },
  { login: "notifier", bucket: "status", key: "told.slack.x" },
  { login: "cli", bucket: "control", key: "request.2" },
] as const;

const attacks: readonly Readonly<Record<string, string>>[] = [
  { "Nats-Rollup": "all" },
  { "Nats-Rollup": "sub" },
  { "KV-Operation": "PURGE", "Nats-Rollup": "all" },
  { "KV-Operation": "PURGE" },
  { "Nats-TTL": "1s" },
  { "Nats-Expected-Last-Sequence": "0" },
  { "Nats-Incr": "1" },
  { "Nats-Msg-Id": "1" },
  { "Nats-Batch-Id": "1", "Nats-Batch-Sequence": "1", "Nats-Batch-Commit": "1" },
  { "Nats-Schedule": "@every 1s", "Nats-Schedule-Target": "$KV.inventory-testmeshroll.west._" },
  { "Nats-Marker-Reason": "Purge" },
];

async function readAll(bucket: "control" | "status" | "inventory") {
  const operator = await openAs(nats(), "operator");
  return Promise.all(neighbouring[bucket].map(async (key) => (await operator.bucket(bucket).get(key))?.value));
}

async function writeAll(bucket: "control" | "status" | "inventory"): Promise<void> {
  const operator = await openAs(nats(), "operator");
  for (const key of neighbouring[bucket]) await operator.bucket(bucket).put(key, `of ${key}`);
}

it.each(neighbours.flatMap((each) => attacks.map((fields) => ({ ...each, fields }))))(
  "$login cannot remove another login's key by $fields",
  async ({ login, bucket, key, fields }) => {
    await openPlanner();
    await writeAll(bucket);
    await send(login, `$KV.${bucket}-testmeshroll.${key}`, fields);
    await writeAll(bucket);
    await send(login, `$KV.${bucket}-testmeshroll.${key}`, fields);
    expect(await readAll(bucket)).toEqual(neighbouring[bucket].map((each) => `of ${each}`));
  },
);

it.each(["inventory", "control", "status"] as const)(
  "the planner makes a bucket %s of an older version safe, and keeps its entries",
  async (bucket) => {
    const nc = await dialAs(nats(), "operator");
    const jsm = await jetstreamManager(nc, { checkAPI: false });
    const place = `${bucket}-testmeshroll`;
    await jsm.streams.delete(`KV_${place}`);
    await new Kvm(jetstream(nc)).create(place, { history: 1 });
    const { login, key } = neighbours.find((each) => each.bucket === bucket) ?? neighbours[0];
    await writeAll(bucket);
    const planner = await openPlanner();
    await vi.waitFor(async () => {
      const { config } = await jsm.streams.info(`KV_${place}`);
      expect(config.allow_rollup_hdrs).toBe(false);
    }, waitOptions);
    expect(await send(login, `$KV.${place}.${key}`, { "Nats-Rollup": "all" })).toContain("rollup not permitted");
    expect(await readAll(bucket)).toEqual(neighbouring[bucket].map((each) => `of ${each}`));
    expect(planner.trouble()).toBe(undefined);
  },
);

it.each(["all", "sub"])("a message takes nothing away that the stream has: rollup %s", async (rollup) => {
  const nc = await dialAs(nats(), "operator");
  const planner = await openPlanner();
  await planner.publish("meshroll.v1.stop.v1.placed", "{}");
  await (
    await jetstreamManager(nc, { checkAPI: false })
  ).streams.update("MESHROLL-testmeshroll", { allow_rollup_hdrs: true });
  await (await openPlanner()).publish("meshroll.v1.stop.v1.placed", "{}");
  const answer = await send("executor-east", "meshroll.testmeshroll.v1.workload.v1.failed", {
    "Nats-Rollup": rollup,
  });
  expect(answer).toContain("rollup not permitted");
});

it("an executor that uses the ids of the planner's messages first cannot suppress them", async () => {
  const planner = await openPlanner();
  const stop = makeEvent("stopPlaced", "stop-s1", 0, { stop: "s1", scope: "all", who: "ana", why: "5xx" });
  const forged = { type: "workload.v1.failed", id: stop.id, at: stop.at, data: {} };
  const fields = { "Nats-Msg-Id": stop.id };
  await send("executor-east", "meshroll.testmeshroll.v1.workload.v1.failed", fields, JSON.stringify(forged));
  const notifier = await openAs(nats(), "notifier");
  const [listened, worked]: string[][] = [[], []];
  const end = new AbortController();
  await notifier.listen("meshroll.v1.>", (subject) => void listened?.push(subject), end.signal);
  const working = notifier.work(
    "notifier-slack",
    "meshroll.v1.>",
    async ({ subject }) => {
      worked?.push(subject);
      return "done";
    },
    end.signal,
  );
  onTestFinished(async () => {
    end.abort();
    await working;
  });
  await planner.publish(nameSubject(stop), JSON.stringify(stop));
  await vi.waitFor(
    () => {
      expect(listened).toEqual([nameSubject(stop)]);
      expect(worked?.at(-1)).toBe(nameSubject(stop));
    },
    { timeout: 20_000 },
  );
});
