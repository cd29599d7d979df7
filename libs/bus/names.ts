import { BusRefused } from "./errors.ts";

/** The buckets of the bus. */
export const bucketNames = ["control", "status", "inventory"] as const;

/** The stream of all events, and what it takes in. */
export const streamName = "MESHROLL";
export const streamSubjects = "meshroll.v1.>";

/**
 * Where the server repeats what the stream has kept: listeners hear it there. A login may be allowed to publish and not to
 * listen, or the other way round, and what is heard was kept.
 */
export const keptSubjects = "meshroll.kept.v1.>";
const [said, kept] = ["meshroll.v1.", "meshroll.kept.v1."];

/** Subject, or pattern, of the stream -> where it is heard. Others are heard where they are said. */
export function toKept(subject: string): string {
  return subject.startsWith(said) ? kept + subject.slice(said.length) : subject;
}

export function fromKept(subject: string): string {
  return subject.startsWith(kept) ? said + subject.slice(kept.length) : subject;
}

/** Servers refuse larger ones by default; a smaller limit on some server is told by that server. */
const largestBytes = 1 << 20;

/** Throws `BusRefused` for what NATS cannot keep under a name. */
export function checkKey(key: string): void {
  if (/^[-/=\w]+(?:\.[-/=\w]+)*$/.test(key)) return;
  throw new BusRefused(`"${key}" is not a key: letters, digits, - _ = / and single dots inside`);
}

/** Throws `BusRefused` for a value that no server takes. */
export function checkSize(what: string, value: string): void {
  const bytes = Buffer.byteLength(value);
  if (bytes >= largestBytes)
    throw new BusRefused(`${what} has ${bytes} bytes; the bus takes less than ${largestBytes}`);
}

/** A request that the stream would take in is answered by the stream, not by whom it is for. */
export function checkAskSubject(subject: string): void {
  if (!matchesSubject(streamSubjects, subject)) return;
  throw new BusRefused(`"${subject}" belongs to the stream: ask under another name than ${streamSubjects}`);
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
