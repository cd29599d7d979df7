import { isInstallationId } from "#libs/input";

import { BusRefused } from "./errors.ts";

/** The buckets of the bus. */
export const bucketNames = ["control", "status", "inventory", "vms"] as const;

/** The subjects of the stream, in the port's names; on the server each installation has its own. @internal */
export const streamSubjects = "meshroll.v1.>";

/** The names of one installation on a NATS server: no two installations share a bucket, a stream or a subject. */
export interface BusNames {
  /** The server's name of a bucket. */
  bucket(name: string): string;
  /** The stream of all events. */
  readonly stream: string;
  /** The subjects that are published into the stream. */
  readonly published: string;
  /**
   * Subjects under which the server republishes stored messages; listeners subscribe to these. That separates the right to
   * publish from the right to listen, and every message that is received was stored.
   */
  readonly republished: string;
  /** The port's subject or pattern -> the subject to publish to. Throws `BusRefused` for subjects not below `meshroll.v1`. */
  toPublished(subject: string): string;
  /** The port's subject or pattern -> the subject to subscribe to. */
  toRepublished(subject: string): string;
  /** Either of these -> the port's subject. */
  toSubject(wire: string): string;
}

const root = "meshroll.v1.";

/** Throws `BusRefused` for an invalid installation id: a dot or a `*` in it would match names of others. */
export function nameBus(installation: string): BusNames {
  if (!isInstallationId(installation))
    throw new BusRefused(`"${installation}" is not an installation: give the id that meshroll init printed`);
  const [published, republished] = [`meshroll.${installation}.v1.`, `meshroll.${installation}.kept.v1.`];
  const move = (subject: string, to: string): string => {
    if (!subject.startsWith(root)) throw new BusRefused(`"${subject}" is not below meshroll.v1`);
    return to + subject.slice(root.length);
  };
  return {
    bucket: (name) => `${name}-${installation}`,
    stream: `MESHROLL-${installation}`,
    published: `${published}>`,
    republished: `${republished}>`,
    toPublished: (subject) => move(subject, published),
    toRepublished: (subject) => move(subject, republished),
    toSubject(wire) {
      const prefix = [published, republished].find((each) => wire.startsWith(each));
      return prefix === undefined ? wire : root + wire.slice(prefix.length);
    },
  };
}

/** The default limit of servers; a server with a smaller one refuses by itself. */
const largestBytes = 1 << 20;

/** NATS closes the connection of a client that uses a subject of 4 KiB. */
const longestKey = 255;

/** False for keys that meshroll does not write; other clients may. */
export function isKey(key: string): boolean {
  return key.length <= longestKey && /^[-/=\w]+(?:\.[-/=\w]+)*$/.test(key);
}

/** Throws `BusRefused` for an invalid key. */
export function checkKey(key: string): void {
  if (isKey(key)) return;
  throw new BusRefused(
    `"${key.slice(0, 80)}" is not a key: letters, digits, - _ = / and single dots inside, ${longestKey} at the most`,
  );
}

/** Throws `BusRefused` for a value over the limit. */
export function checkSize(what: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes >= largestBytes)
    throw new BusRefused(`${what} has ${bytes} bytes; the bus takes less than ${largestBytes}`);
}

/** NATS' rule: dots separate tokens, `*` is one token, `>` at the end is one or more. @internal */
export function matchesSubject(pattern: string, subject: string): boolean {
  const want = pattern.split(".");
  const have = subject.split(".");
  for (const [index, token] of want.entries()) {
    if (token === ">") return have.length > index;
    if (have[index] === undefined || (token !== "*" && token !== have[index])) return false;
  }
  return want.length === have.length;
}
