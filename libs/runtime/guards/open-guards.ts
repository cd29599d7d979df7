import { ConfigProblems, type Problem } from "../config/config-problems.ts";
import { isLoopback } from "../clock/open-clock.ts";

const guardsVariable = "MESHROLL_SANDBOX_WITHOUT_GUARD";

/** Guards that a test can switch off, to show that a fault notices it. docs/explanation/what-is-guarded.md has a row for each. */
export const guardNames = [
  "resource-version",
  "ledger-cas",
  "job-id",
  "lock",
  "cluster-uid",
  "workload-uid",
  "control",
  "stops",
  "calendar",
  "target-ready",
  "unavailable",
  "room",
  "pace",
  "take-back",
] as const;

export type GuardName = (typeof guardNames)[number];

/** What the environment asks for, and by which it is judged whether this is the sandbox. */
export interface GuardsConfig {
  readonly MESHROLL_SANDBOX_WITHOUT_GUARD?: string | undefined;
  readonly MESHROLL_SANDBOX_CLOCK?: string | undefined;
}

function isGuardName(name: string): name is GuardName {
  return guardNames.some((known) => known === name);
}

function findProblem(
  names: readonly string[],
  clock: string | undefined,
  servers: readonly string[],
): string | undefined {
  const unknown = names.filter((name) => !isGuardName(name));
  if (unknown.length > 0) return `${JSON.stringify(unknown[0])} is no guard: use ${guardNames.join(", ")}`;
  if (clock === undefined || clock === "")
    return "a guard is switched off in tests of the sandbox only: unset it, or set MESHROLL_SANDBOX_CLOCK too";
  const isElsewhere = servers.some((url) => !URL.canParse(url) || !isLoopback(url));
  return isElsewhere ? "a guard is switched off in the sandbox only, but a server is not on this machine" : undefined;
}

/**
 * The guards that are switched off: none, where the variable is not set. Throws `ConfigProblems` outside of the sandbox, that
 * is without the sandbox's clock or with one of `servers` (addresses of all that this process talks to) on another machine.
 */
export function openGuards(config: GuardsConfig, servers: readonly string[]): ReadonlySet<GuardName> {
  const names = (config.MESHROLL_SANDBOX_WITHOUT_GUARD ?? "").split(",").filter((name) => name !== "");
  if (names.length === 0) return new Set();
  const message = findProblem(names, config.MESHROLL_SANDBOX_CLOCK, servers);
  const problem: Problem | undefined = message === undefined ? undefined : { name: guardsVariable, message };
  if (problem !== undefined) throw new ConfigProblems([problem]);
  return new Set(names.filter(isGuardName));
}
