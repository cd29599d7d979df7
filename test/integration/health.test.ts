import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Redis } from "ioredis";
import { testInstallation } from "#libs/input";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";

import { findFreePort } from "../../scripts/brokers/free-port.ts";
import { useOwnBroker } from "./own-broker.ts";
import { waitOptions } from "./wait-options.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const nats = useOwnBroker("nats", ["east"]);
const redis = useOwnBroker("redis", ["east"]);
const folder = mkdtempSync(join(tmpdir(), "meshroll-health-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A service as its own process, with a health port; its repository and its cluster are unreachable. */
async function start(name: "planner" | "executor") {
  const port = await findFreePort();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    MESHROLL_REPO_URL: join(folder, "no-repository"),
    MESHROLL_CLONE_DIR: join(folder, `clone-of-${name}-${port}`),
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_NATS_URL: nats().urlOf(name),
    MESHROLL_REDIS_URL: redis().urlOf(name),
    MESHROLL_CLUSTERS: "east",
    MESHROLL_KUBECONFIG: join(folder, "no-kubeconfig"),
    MESHROLL_HEALTH_PORT: String(port),
  };
  const args = ["--disable-warning=ExperimentalWarning", `services/${name}/main.ts`];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { text: "" };
  child.stderr.on("data", (data: Buffer) => (output.text += data.toString()));
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  await vi.waitFor(async () => expect(await get("/readyz")).toEqual({ status: 200, text: "ready\n" }), waitOptions);
  return { child, output, get };
}

const cases = [
  { name: "planner" as const, metric: /^meshroll_reconcile_duration_seconds_count [1-9]/m },
  { name: "executor" as const, metric: /^meshroll_loop_age_seconds \d/m },
];

it.each(cases)(
  "$name reports its health and what is wrong with its Redis, and ends in good order",
  async ({ name, metric }) => {
    const admin = new Redis(redis().url);
    onTestFinished(() => admin.disconnect());
    await admin.config("SET", "maxmemory-policy", "allkeys-lru");
    const { child, output, get } = await start(name);
    // Its repository is unreachable: it reports that sooner or later, and stays alive, because a restart would not help.
    expect(await get("/healthz")).toEqual({ status: 200, text: expect.stringMatching(/^ok\n(?:git has .*\n)?$/) });
    const problem = 'meshroll_queue_problems{problem="QueueEvicts"} 1\n';
    const warning = /QueueEvicts: Redis at [\d.:]+ has maxmemory-policy allkeys-lru.*Redis may lose batches/;
    // Redis is checked independently of the reconcile loop, so any of the three may come last.
    await vi.waitFor(async () => {
      const { text } = await get("/metrics");
      expect(text).toMatch(metric);
      expect(text).toContain(problem);
      expect(output.text).toMatch(warning);
    }, waitOptions);

    await nats().kill();
    await vi.waitFor(
      async () => expect(await get("/readyz")).toEqual({ status: 503, text: expect.any(String) }),
      waitOptions,
    );
    expect((await get("/healthz")).status).toBe(200);
    await nats().start();
    await vi.waitFor(async () => expect(await get("/readyz")).toEqual({ status: 200, text: "ready\n" }), waitOptions);

    const ended = once(child, "close");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
  240_000,
);
