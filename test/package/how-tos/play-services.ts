import { strictEqual } from "node:assert/strict";

import type { RealFleet } from "../../integration/fleet/real-fleet.ts";
import type { Reader } from "./reader.ts";

/** Removes all MESHROLL_ variables from the reader's environment, as the page says which ones to export; returns them. */
function takeSettings({ env }: Reader): Readonly<Record<string, string>> {
  const settings = Object.entries(env).filter(([name]) => name.startsWith("MESHROLL_"));
  for (const [name] of settings) delete env[name];
  return Object.fromEntries(settings);
}

/**
 * Types the page's commands that start planner and executor from the package, with this test's servers instead of the page's.
 */
export function playServices(
  fleet: RealFleet,
  reader: Reader,
  servers: { readonly nats: string; readonly redis: string },
): (command: string) => Promise<void> {
  const known = takeSettings(reader);
  const values = { ...known, MESHROLL_NATS_URL: servers.nats, MESHROLL_REDIS_URL: servers.redis };
  reader.env["MESHROLL_GIT_TOKEN"] = known["MESHROLL_GIT_TOKEN"] ?? "";
  // The page uses an SSH URL and a person's key.
  reader.env["MESHROLL_GIT_TOKEN_HOST"] = URL.parse(known["MESHROLL_REPO_URL"] ?? "")?.host ?? "";
  // The brokers' logins may reach only the keys of one installation.
  const init = `${known["MESHROLL_REPO_URL"]} --installation ${fleet.installation}`;
  let endExecutor: (() => Promise<number | null>) | undefined;

  const begin = (command: string) =>
    reader.begin(`MESHROLL_SANDBOX_CLOCK=${known["MESHROLL_SANDBOX_CLOCK"]} ${command.replace("/var/tmp", '"$PWD"')}`);

  async function beginExecutor(command: string): Promise<void> {
    const mode = command.endsWith("--act") ? "act" : "observe";
    if (endExecutor !== undefined) strictEqual(await endExecutor(), 0, "the executor ends in good order");
    endExecutor = begin(command);
    await fleet.until(`it is seen to ${mode}`, async () => (await fleet.status())?.clusters[0]?.mode === mode);
  }

  return async (command) => {
    if (command.startsWith("export ")) {
      for (const [, name = ""] of command.matchAll(/(\w+)=\S+/gu))
        reader.env[name] = new Map(Object.entries(values)).get(name) ?? "";
    } else if (command.includes(" meshroll-executor")) await beginExecutor(command);
    else if (command.includes(" meshroll-planner")) begin(command);
    else await reader.do(command.replace("git@github.com:acme/rollouts.git", init));
  };
}
