import type { QueueProbe } from "./probe.ts";
import { makeTrouble, type QueueTrouble } from "../troubles.ts";

/** What is wrong with a Redis server. */
export interface QueueVerdict {
  /** It cannot be used at all. */
  readonly refusal?: string;
  /** It can be used but may lose jobs. Decisions are stored elsewhere, so that costs time only. */
  readonly problems: readonly QueueTrouble[];
}

/** The lowest version that BullMQ recommends and tests. */
const [leastMajor, leastMinor] = [6, 2];

/** False for a version that cannot be read: it may be a newer build. */
function isTooOld(version: string): boolean {
  const [major = Number.NaN, minor = 0] = version.split(".").map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** Judges a server's own report; `server` is its address for people. */
export function judgeServer(probe: QueueProbe, server: string): QueueVerdict {
  const { version, evictionPolicy, isAppendOnly, isFull } = probe;
  const problems: QueueTrouble[] = [];
  if (isFull) {
    const message = `Redis at ${server} uses more memory than maxmemory allows: it refuses batches`;
    problems.push(makeTrouble("QueueFull", message));
  }
  if (evictionPolicy !== "noeviction") {
    const message = `Redis at ${server} has maxmemory-policy ${evictionPolicy}, so it may throw batches away`;
    problems.push(makeTrouble("QueueEvicts", message));
  }
  if (!isAppendOnly) {
    const message = `Redis at ${server} keeps no append-only file, so a restart forgets the batches in hand`;
    problems.push(makeTrouble("QueueForgets", message));
  }
  if (!isTooOld(version)) return { problems };
  return { refusal: `Redis at ${server} is ${version}; needed is ${leastMajor}.${leastMinor} or newer`, problems };
}
