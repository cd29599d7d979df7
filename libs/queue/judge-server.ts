import type { QueueProbe } from "./probe.ts";

/** What is wrong with a Redis, in sentences for people. */
export interface QueueVerdict {
  /** It cannot serve us at all. */
  readonly refusal?: string;
  /** It serves us, and will lose jobs one day. What is decided stands elsewhere, so that costs time and nothing else. */
  readonly problems: readonly string[];
}

/** The least version: what BullMQ recommends and is tested with. */
const [leastMajor, leastMinor] = [6, 2];

/** False for a version that cannot be read: somebody's build of something newer. */
function isTooOld(version: string): boolean {
  const [major = Number.NaN, minor = 0] = version.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Judges what a server said of itself; `server` is its address for people. */
export function judgeServer({ version, evictionPolicy, isAppendOnly }: QueueProbe, server: string): QueueVerdict {
  const problems: string[] = [];
  if (evictionPolicy !== "noeviction") {
    problems.push(
      `QueueEvicts: Redis at ${server} has maxmemory-policy ${evictionPolicy}, so it may throw batches away; ` +
        "mend with: redis-cli CONFIG SET maxmemory-policy noeviction, and the same in its configuration",
    );
  }
  if (!isAppendOnly) {
    problems.push(
      `QueueForgets: Redis at ${server} keeps no append-only file, so a restart forgets the batches in hand; ` +
        "mend with: redis-cli CONFIG SET appendonly yes, and the same in its configuration",
    );
  }
  if (!isTooOld(version)) return { problems };
  return { refusal: `Redis at ${server} is ${version}; needed is ${leastMajor}.${leastMinor} or newer`, problems };
}
