import { type Bucket, compileRollouts, type Rollouts } from "#libs/rollouts";

/** The bucket of all that match nothing else. */
export const defaultBucket = "production";

/** Forms of a pattern that match one name only, ever longer: the longest pattern wins, so a short pin may never apply. */
function listForms(namespace: string): readonly string[] {
  return [namespace, `^${namespace}$`, `^(${namespace})$`, `^((${namespace}))$`, `^(((${namespace})))$`];
}

/** True for an entry of its own, whatever it says. */
export function isNamed(bucket: Bucket, namespace: string): boolean {
  return bucket.pattern !== defaultBucket && listForms(namespace).includes(bucket.pattern);
}

/** True for an entry that speaks of this one namespace and sends all of it to one revision. */
export function isPin(bucket: Bucket, namespace: string): boolean {
  const single = bucket.shares.filter(({ weight }) => weight > 0).length === 1;
  return single && isNamed(bucket, namespace);
}

/** The namespace that an entry pins; undefined for a bucket of many. */
export function findPinned(bucket: Bucket): string | undefined {
  const name = bucket.pattern.replaceAll(/[()^$]/gu, "");
  return isPin(bucket, name) ? name : undefined;
}

/**
 * The form of a pin that would win against the patterns that are there; undefined when none would. `rivals` are the buckets
 * that match the namespace today, the deciding one first.
 */
export function choosePinForm(rollouts: Rollouts, rivals: readonly Bucket[], namespace: string): string | undefined {
  const taken = new Set(rollouts.buckets.map(({ pattern }) => pattern));
  const lengths = rivals.map(({ pattern }) => (pattern === defaultBucket ? 0 : pattern.length));
  // Of two equally long patterns the smaller in byte order wins: offered is only what is longer than all.
  const form = listForms(namespace).find((one) => !taken.has(one) && one.length > Math.max(0, ...lengths));
  if (form === undefined) return undefined;
  const pin: Bucket = { pattern: form, line: 1, column: 1, shares: [{ revision: "any", weight: 100 }] };
  const pinned = compileRollouts({ buckets: [...rollouts.buckets, pin] }, "").resolve(namespace);
  return pinned.bucket.pattern === form ? form : undefined;
}

/** Keys that any YAML reader takes as the text they are. */
const plainKey = /^[a-z][a-z0-9-]*$/;
const plainRevision = /^[a-z0-9]+(?:-[a-z0-9]+)+$|^[a-z][a-z0-9-]*$/;
const words: ReadonlySet<string> = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "null"]);

function quoteKey(key: string, plain: RegExp): string {
  return plain.test(key) && !words.has(key) ? key : JSON.stringify(key);
}

/** The lines that keep a namespace on a revision, to be added to `rollouts.yml`; undefined when no form of them would win. */
export function findPin(
  rollouts: Rollouts,
  rivals: readonly Bucket[],
  namespace: string,
  revision: string,
): string | undefined {
  const form = choosePinForm(rollouts, rivals, namespace);
  return form === undefined ? undefined : `${quoteKey(form, plainKey)}:\n  ${quoteKey(revision, plainRevision)}: 100\n`;
}
