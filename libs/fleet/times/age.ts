/** The API server tells times in whole seconds. */
const roundingMs = 1000;

/**
 * How long ago something was, ms; both by the clock of one API server. What lies in its future was just now: a server with
 * another clock answered, or a person wrote it. Never longer than it is: who waits by it waits up to a second longer.
 */
export function findAge(at: number, serverNow: number): number {
  return Math.max(0, serverNow - at - roundingMs);
}
