import { isInstallationId } from "#libs/input";

import { BusRefused } from "./errors.ts";

/** The buckets of the bus. */
export const bucketNames = ["control", "status", "inventory"] as const;

/** What the stream takes in, in the port's words: each installation has its own below these names. @internal */
export const streamSubjects = "meshroll.v1.>";

/** The names of one installation on a NATS that others may use too: no two have a bucket, a stream or a subject in common. */
export interface BusNames {
  /** The bucket that the port calls `name`. */
  bucket(name: string): string;
  /** The stream of all events. */
  readonly stream: string;
  /** What the stream takes in. */
  readonly said: string;
  /**
   * Where the server repeats what the stream has kept: listeners hear it there. A login may be allowed to publish and not to
   * listen, or the other way round, and what is heard was kept.
   */
  readonly kept: string;
  /** Subject or pattern of the port -> where it is said. Throws `BusRefused` for one that is not below `meshroll.v1`. */
  toSaid(subject: string): string;
  /** Subject or pattern of the port -> where it is heard. */
  toHeard(subject: string): string;
  /** Where it was said or heard -> subject of the port. */
  toSubject(wire: string): string;
}

const root = "meshroll.v1.";

/** Throws `BusRefused` for what is no installation's id: a name with a dot or a `*` in it would be that of others too. */
export function nameBus(installation: string): BusNames {
  if (!isInstallationId(installation))
    throw new BusRefused(`"${installation}" is not an installation: give the id that meshroll init printed`);
  const [said, heard] = [`meshroll.${installation}.v1.`, `meshroll.${installation}.kept.v1.`];
  const move = (subject: string, to: string): string => {
    if (!subject.startsWith(root)) throw new BusRefused(`"${subject}" is not below meshroll.v1`);
    return to + subject.slice(root.length);
  };
  return {
    bucket: (name) => `${name}-${installation}`,
    stream: `MESHROLL-${installation}`,
    said: `${said}>`,
    kept: `${heard}>`,
    toSaid: (subject) => move(subject, said),
    toHeard: (subject) => move(subject, heard),
    toSubject(wire) {
      const prefix = [said, heard].find((each) => wire.startsWith(each));
      return prefix === undefined ? wire : root + wire.slice(prefix.length);
    },
  };
}

/** Servers refuse larger ones by default; a smaller limit on some server is told by that server. */
const largestBytes = 1 << 20;

/** NATS ends the connection of a client that names a subject of 4 KiB. */
const longestKey = 255;

/** False for what a key of ours cannot be: other clients of a server may write it. */
export function isKey(key: string): boolean {
  return key.length <= longestKey && /^[-/=\w]+(?:\.[-/=\w]+)*$/.test(key);
}

/** Throws `BusRefused` for what is no key of ours. */
export function checkKey(key: string): void {
  if (isKey(key)) return;
  throw new BusRefused(
    `"${key.slice(0, 80)}" is not a key: letters, digits, - _ = / and single dots inside, ${longestKey} at the most`,
  );
}

/** Throws `BusRefused` for a value that no server takes. */
export function checkSize(what: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes >= largestBytes)
    throw new BusRefused(`${what} has ${bytes} bytes; the bus takes less than ${largestBytes}`);
}

/** NATS' own rule: dots part tokens, `*` is one token, `>` at the end is one or more. @internal */
export function matchesSubject(pattern: string, subject: string): boolean {
  const want = pattern.split(".");
  const have = subject.split(".");
  for (const [index, token] of want.entries()) {
    if (token === ">") return have.length > index;
    if (have[index] === undefined || (token !== "*" && token !== have[index])) return false;
  }
  return want.length === have.length;
}
