import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { findEntry } from "./find-entry.ts";
import { describeEnvironment } from "./start-services.ts";
import type { DemoEnvironment } from "./start-world.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Runs `npx meshroll` with these arguments; returns stdout. Not by a blocking call, as this process serves the SCM and the
 * API servers that the command talks to.
 */
export async function runCli(
  environment: DemoEnvironment,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const cli = findEntry(root, "cli");
  const node = ["--disable-warning=ExperimentalWarning", cli, ...args];
  const own = { NO_COLOR: "1", USER: "ana" };
  const env = { ...process.env, ...describeEnvironment(environment, "cli"), ...own };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, node, {
      env,
      signal,
      cwd: join(environment.folder, ".."),
    });
    return stdout.trimEnd();
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new Error(`meshroll ${args.join(" ")}: ${said}`, { cause: error });
  }
}
