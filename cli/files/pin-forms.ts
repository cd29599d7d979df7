import { type Bucket, compileRollouts, type Rollouts } from "#libs/rollouts";

/** The bucket of namespaces that match no pattern. */
export const defaultBucket = "production";

/** Patterns that match one name only, ever longer: the longest pattern decides, so a short one may have no effect. */
function listForms(namespace: string): readonly string[] {
  return [namespace, `^${namespace}$`, `^(${namespace})$`, `^((${namespace}))$`, `^(((${namespace})))$`];
}

/** Whether a bucket is an entry for this one namespace. */
export function isNamed(bucket: Bucket, namespace: string): boolean {
  return bucket.pattern !== defaultBucket && listForms(namespace).includes(bucket.pattern);
}

/** Whether a bucket is an entry that sends this one namespace to one revision. */
export function isPin(bucket: Bucket, namespace: string): boolean {
  const single = bucket.shares.filter(({ weight }) => weight > 0).length === 1;
  return single && isNamed(bucket, namespace);
}

/** The namespace that an entry pins; undefined for other buckets. */
export function findPinned(bucket: Bucket): string | undefined {
  const name = bucket.pattern.replaceAll(/[()^$]/gu, "");
  return isPin(bucket, name) ? name : undefined;
}

/**
 * The form of a pin that would decide against the existing patterns; undefined when none would. `rivals`: the buckets that
 * match the namespace now, the deciding one first.
 */
export function choosePinForm(rollouts: Rollouts, rivals: readonly Bucket[], namespace: string): string | undefined {
  const taken = new Set(rollouts.buckets.map(({ pattern }) => pattern));
  const lengths = rivals.map(({ pattern }) => (pattern === defaultBucket ? 0 : pattern.length));
  // Of two equally long patterns the smaller in byte order wins, so only a longer one is offered.
  const form = listForms(namespace).find((one) => !taken.has(one) && one.length > Math.max(0, ...lengths));
  if (form === undefined) return undefined;
  const pin: Bucket = { pattern: form, line: 1, column: 1, shares: [{ revision: "any", weight: 100 }] };
  const pinned = compileRollouts({ buckets: [...rollouts.buckets, pin] }, "").resolve(namespace);
  return pinned.bucket.pattern === form ? form : undefined;
}

/** Keys that every YAML reader takes as text without quotes. */
const plainKey = /^[a-z][a-z0-9-]*$/;
const plainRevision = /^[a-z0-9]+(?:-[a-z0-9]+)+$|^[a-z][a-z0-9-]*$/;
const words: ReadonlySet<string> = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "null"]);

function quoteKey(key: string, plain: RegExp): string {
  return plain.test(key) && !words.has(key) ? key : JSON.stringify(key);
}

/** The lines for `rollouts.yml` that keep a namespace on a revision; undefined when no form would decide. */
export function findPin(
  rollouts: Rollouts,
  rivals: readonly Bucket[],
  namespace: string,
  revision: string,
): string | undefined {
  const form = choosePinForm(rollouts, rivals, namespace);
  return form === undefined ? undefined : `${quoteKey(form, plainKey)}:\n  ${quoteKey(revision, plainRevision)}: 100\n`;
}
