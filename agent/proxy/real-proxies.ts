import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { setTimeout as sleepReal } from "node:timers/promises";

import { askUrl } from "#libs/runtime";

import type { Launch, Proxies, ProxyProcess } from "./port.ts";
import { makeMark } from "./mark.ts";
import { findProxies, marks } from "./process-table.ts";

export interface ProxyOptions {
  readonly root: string;
  /** Answers 200 when the proxy is ready. */
  readonly readyUrl: string;
  /** Distinguishes the shared memory of several VMs' proxies on one machine. */
  readonly baseId: number;
  /** Ms between being asked to end and being ended. */
  readonly drainMs: number;
}

/** Ms to wait for an answer about readiness. @internal */
export const askMs = 2_000;

/** The proxy's environment: of the agent's own, which may contain secrets, only PATH. */
function makeEnvironment(
  { root, baseId }: ProxyOptions,
  { digest, folder, revision, discoveryAddress, epoch }: Launch,
  mark: string,
) {
  return {
    PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
    [marks.root]: root,
    [marks.digest]: digest,
    [marks.epoch]: String(epoch),
    [marks.mark]: mark,
    MESHROLL_BASE_ID: String(baseId),
    MESHROLL_SLOT: folder,
    MESHROLL_REVISION: revision,
    MESHROLL_DISCOVERY_ADDRESS: discoveryAddress,
  };
}

async function isRunning(root: string, { pid }: ProxyProcess): Promise<boolean> {
  return (await findProxies(root)).some((each) => each.pid === pid);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Proxies as processes of this Linux machine. */
export function openProxies(options: ProxyOptions): Proxies {
  const { root, readyUrl, drainMs } = options;
  return {
    list: async () => findProxies(root),
    async launch(launch) {
      const mark = await makeMark(root);
      const child = spawn(join(launch.folder, launch.start), [], {
        // A session of its own, so that it outlives the agent.
        detached: true,
        cwd: "/",
        env: makeEnvironment(options, launch, mark),
        stdio: ["ignore", "inherit", "inherit"],
      });
      await once(child, "spawn");
      child.unref();
    },
    async stop(proxy, withinMs = drainMs) {
      signal(proxy.pid, "SIGTERM");
      const stepMs = 50;
      for (let waited = 0; waited < withinMs; waited += stepMs) {
        if (!(await isRunning(root, proxy))) return;
        await sleepReal(stepMs);
      }
      signal(proxy.pid, "SIGKILL");
      while (await isRunning(root, proxy)) await sleepReal(stepMs);
    },
    async isReady() {
      try {
        const response = await askUrl(new URL(readyUrl), { signal: AbortSignal.timeout(askMs), fresh: true });
        response.destroy();
        return response.statusCode === 200;
      } catch {
        // Any error means not ready.
        return false;
      }
    },
  };
}
