import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { receiveReading } from "../receive-reading.ts";

/** Real ms after which a scenario is killed, as it must have hung. */
const limitMs = 180_000;

export function forkQuietly(entry: URL, args: readonly string[]): ChildProcess {
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  return fork(fileURLToPath(entry), [...args], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** Plays a scenario of sandbox/bench-fleet in a process, as only sandbox and tests may import it. Returns its reading. */
export async function playScenario(name: string): Promise<unknown> {
  const child = forkQuietly(new URL("../../sandbox/bench-fleet/main.ts", import.meta.url), [name]);
  const limit = setTimeout(() => child.kill("SIGTERM"), limitMs);
  try {
    const { reading } = (await receiveReading(child, `scenario ${name}`)) as { readonly reading: unknown };
    return reading;
  } finally {
    clearTimeout(limit);
  }
}
