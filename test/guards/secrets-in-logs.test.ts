import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { testInstallation } from "#libs/input";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "meshroll-secrets-"));

/** All different, so that a leak shows which one leaked. */
const tokens = {
  git: "gitQ7hW2mZk9TxR4vLb8",
  github: "apiB3nF6wYc1PsK5jGd7",
  nats: "busV9tXr2HqL8mZp4Wk1",
  redis: "redN5cJg7TbY3vRs6Qd9",
  kube: "kubM1xKw8FzP2hLt5Gn3",
  webhook: "hokD6sVb4RyC9jNq7Tm2",
  slack: "slkH8pZf3WgX5kBv1Ld6",
};

/** A hostile server: it refuses everything, and repeats the caller's credentials in its answers. */
let hostile: Server;
let origin = "";
let deadPort = 0;

function writeKubeconfig(): string {
  const path = join(folder, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: origin, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: { token: tokens.kube } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

beforeAll(async () => {
  hostile = createServer((request, response) => {
    const { authorization = "" } = request.headers;
    response.writeHead(500, { "content-type": "text/plain" });
    response.end(
      `${authorization} is not welcome; ${Buffer.from(authorization).toString("base64")}; ${request.url ?? ""}`,
    );
  });
  await once(hostile.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  const dead = createServer();
  await once(dead.listen(0, "127.0.0.1"), "listening");
  deadPort = (dead.address() as AddressInfo).port;
  dead.close();
});

const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  hostile.closeAllConnections();
  hostile.close();
  rmSync(folder, { recursive: true, force: true });
});

/** All variables that a service may get; each reads those it knows. */
function makeEnv(name: string): Readonly<Record<string, string>> {
  return {
    MESHROLL_LOG_LEVEL: "debug",
    MESHROLL_REPO_URL: `${origin}/acme/rollouts.git`,
    MESHROLL_GIT_TOKEN: tokens.git,
    MESHROLL_CLONE_DIR: join(folder, `clone-of-${name}`),
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_NATS_URL: `nats://me:${tokens.nats}@127.0.0.1:${deadPort}`,
    MESHROLL_REDIS_URL: `redis://:${tokens.redis}@127.0.0.1:${deadPort}`,
    MESHROLL_GITHUB_API_URL: origin,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_TOKEN: tokens.github,
    MESHROLL_CLUSTERS: "east",
    MESHROLL_KUBECONFIG: writeKubeconfig(),
    MESHROLL_API_PORT: "0",
    MESHROLL_GITHUB_WEBHOOK_SECRET: tokens.webhook,
    MESHROLL_HEALTH_PORT: "0",
    MESHROLL_SLACK_TOKEN: tokens.slack,
    MESHROLL_SLACK_CHANNEL: "C0123456789",
    MESHROLL_SLACK_API_URL: `${origin}/api/`,
  };
}

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly until: readonly RegExp[];
  readonly env?: () => Readonly<Record<string, string>>;
}

/** For each service: how its output shows that the hostile servers have answered it. */
const cases: readonly Case[] = [
  { name: "planner", args: [], until: [/who leads is not known/] },
  // A planner reads main and asks the SCM only while it leads, for which NATS must answer.
  { name: "planner", args: [], until: [/could not read main/], env: () => ({ MESHROLL_NATS_URL: inject("natsUrl") }) },
  { name: "executor", args: ["--act"], until: [/could not read main/, /a watch failed: it is opened again/] },
  { name: "notifier", args: [], until: [/the notifier runs/] },
  { name: "api", args: [], until: [/the api runs/] },
];

/** Starts a service among them, and ends it once its output shows their answers. */
async function run({ name, args, until, env: more = () => ({}) }: Case, index: number) {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const entry = ["--disable-warning=ExperimentalWarning", `services/${name}/main.ts`];
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, ...makeEnv(`${name}-${index}`), ...more() };
  const child = spawn(process.execPath, [...entry, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (said += data.toString()));
  const ended = once(child, "close") as Promise<[number | null]>;
  for (const sign of until) await vi.waitFor(() => expect(said).toMatch(sign), { timeout: 50_000, interval: 100 });
  const asked = performance.now();
  child.kill("SIGTERM");
  const [code] = await ended;
  return { code, said, tookMs: performance.now() - asked };
}

it("no service logs a token, among servers that repeat what they get, and each ends in good order", async () => {
  // All at once, because they mostly wait for servers that do not answer.
  for (const [index, { code, said, tookMs }] of (await Promise.all(cases.map(run))).entries()) {
    const name = cases[index]?.name;
    expect({ name, code }).toEqual({ name, code: 0 });
    expect(tookMs).toBeLessThan(11_000);
    for (const [whose, token] of Object.entries(tokens)) {
      const forms = [token, `x-access-token:${token}`].flatMap((form) => [form, Buffer.from(form).toString("base64")]);
      for (const form of forms)
        expect({ name, whose, leaked: said.includes(form) }).toEqual({ name, whose, leaked: false });
    }
  }
});
