import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { testInstallation } from "#libs/input";

import { findFreePort } from "../../../scripts/brokers/free-port.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The api as a process of its own; its URL stays the same after a restart. */
export interface ApiProcess {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** Time limit for the start, ms: long enough for a busy machine. */
const readyLimitMs = 60_000;

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}

/** `natsUrl` has the login of the api, which may read only what it needs. */
export async function startApi(natsUrl: string): Promise<ApiProcess> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env["PATH"] ?? "",
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_NATS_URL: natsUrl,
    MESHROLL_API_PORT: String(port),
  };
  let child: ChildProcess | undefined;
  const api: ApiProcess = {
    url,
    async start() {
      const args = ["--disable-warning=ExperimentalWarning", "services/api/main.ts"];
      child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
      const until = performance.now() + readyLimitMs;
      while (!(await isReady(url))) {
        if (child.exitCode !== null || performance.now() > until) throw new Error("the api did not start");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async kill() {
      if (child === undefined || child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      child = undefined;
    },
  };
  await api.start();
  return api;
}
