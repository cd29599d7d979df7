import type { Workload } from "../facts.ts";

/** The latest of those that are known. */
function findLatest(...moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/**
 * The latest known progress of a moving workload: our write, or its controller's last change of the status. By the API server's
 * clock; undefined = unknown.
 */
export function findProgressAt({ times }: Workload): number | undefined {
  return findLatest(times?.written, times?.status);
}

/**
 * When a workload that does not roll any more came to rest after our last write, at the latest. A Deployment's condition says it
 * exactly, and stays as it is when pods are lost later; its controller's clock is another one than the API server's, so it is
 * believed between our write and the last change of the status only.
 */
export function findRestAt({ times = {} }: Workload): number | undefined {
  const { written, status, rolledOut } = times;
  const latest = findLatest(written, status);
  if (rolledOut === undefined || latest === undefined) return latest;
  return Math.min(latest, Math.max(rolledOut, written ?? rolledOut));
}

/** The API server has times in whole seconds. */
const roundingMs = 1000;

/**
 * How long ago something was, ms, both by the clock of one API server. A time in its future counts as now: another server with
 * another clock answered, or a person wrote it. Rounded so that a wait may take a second longer, never shorter.
 */
export function findAge(at: number, serverNow: number): number {
  return Math.max(0, serverNow - at - roundingMs);
}
