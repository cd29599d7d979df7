import { testInstallation } from "#libs/input";
import { openQueue, serveBatches } from "#libs/queue";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { useOwnBroker } from "./own-broker.ts";

const redis = useOwnBroker("redis", ["east", "west"]);

describe("each login at Redis can do what its service needs, and nothing else", () => {
  function dialRedis(login: string): Redis {
    const client = new Redis(redis().urlOf(login), { maxRetriesPerRequest: 0, retryStrategy: () => null });
    client.on("error", () => undefined);
    onTestFinished(() => client.disconnect());
    return client;
  }

  const refusedCommands = [
    ["executor-east", ["GET", "bull:meshroll-testmeshroll-west:meta"]],
    ["executor-east", ["DEL", "bull:meshroll-testmeshroll-west:batch"]],
    ["executor-east", ["EVAL", "return redis.call('SET', 'bull:meshroll-testmeshroll-west:id', '1')", "0"]],
    ["executor-east", ["SET", "other", "1"]],
    ["planner", ["SET", "other", "1"]],
    ["planner", ["DEL", "bull:meshroll-othermeshrol-east:batch"]],
    ["executor-east", ["GET", "bull:meshroll-othermeshrol-east:batch"]],
    ["cli", ["GET", "bull:meshroll-testmeshroll-east:meta"]],
    ["cli", ["SET", "bull:meshroll-testmeshroll-east:id", "1"]],
    ...["planner", "executor-east", "cli"].flatMap((login) =>
      [
        ["FLUSHALL"],
        ["CONFIG", "SET", "maxmemory", "1"],
        ["CONFIG", "GET", "*"],
        ["ACL", "LIST"],
        ["KEYS", "*"],
        ["SCAN", "0"],
        ["MONITOR"],
        ["SHUTDOWN"],
        ["REPLICAOF", "evil", "1"],
        ["MODULE", "LIST"],
        ["CLIENT", "KILL", "TYPE", "normal"],
      ].map((command) => [login, command] as const),
    ),
  ] as const;

  it.each(refusedCommands)("%s may not %j", async (login, [command, ...args]) => {
    await expect(dialRedis(login).call(command ?? "", ...args)).rejects.toThrow(/NOPERM|can't access/);
  });

  it.each(["notifier", "api"])("%s has no login at all", (login) => expect(redis().findUrl(login)).toBe(undefined));

  it("a client without a login may not even ping", async () => {
    const client = new Redis(`redis://${new URL(redis().url).host}`, { retryStrategy: () => null });
    client.on("error", () => undefined);
    onTestFinished(() => client.disconnect());
    await expect(client.ping()).rejects.toThrow("NOAUTH");
  });

  it("the planner hands out, and the executor of that cluster executes, with their own logins", async () => {
    const operator = dialRedis("operator");
    await operator.call("ACL", "LOG", "RESET");
    const queue = openQueue<{ readonly run: string }>({
      installation: testInstallation,
      url: redis().urlOf("planner"),
    });
    onTestFinished(async () => queue.close());
    const got = Promise.withResolvers<string>();
    const faults: string[] = [];
    const serve = serveBatches<{ readonly run: string }>({
      installation: testInstallation,
      url: redis().urlOf("executor-east"),
      onFault: (fault) => faults.push(fault),
    });
    const worker = serve("east", async ({ job }) => got.resolve(job.run));
    onTestFinished(async () => worker.close());
    expect(await queue.put("east", { run: "one" })).toBe("added");
    expect(await got.promise).toBe("one");
    expect(faults).toEqual([]);
    await vi.waitFor(async () => expect(await queue.inspect("east")).toBe(undefined), { timeout: 60_000 });
    // Redis refused no call, those in scripts included.
    expect(await operator.call("ACL", "LOG")).toEqual([]);
  });
});
