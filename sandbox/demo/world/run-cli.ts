import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { findEntry } from "./find-entry.ts";
import { describeEnvironment } from "./start-services.ts";
import type { DemoEnvironment } from "./start-world.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * A command as a person types it behind `npx meshroll`; answers what it printed. Never waited for in a blocking call: this
 * process is the GitHub and the API servers that it talks to.
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
