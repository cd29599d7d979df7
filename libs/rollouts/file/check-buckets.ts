import type { BucketLayout, KeyLayout, ShareLayout } from "../source/layout.ts";
import { findLookAlike } from "./look-alikes.ts";
import { describeScalar } from "../source/number-like.ts";
import { quoteText, type Problem } from "../source/source.ts";

/** The bucket of every namespace that no pattern matches. */
export const DEFAULT_BUCKET = "production";

/** MR1003: without the default bucket, some namespaces would have no answer. */
export function checkDefaultBucket(buckets: readonly BucketLayout[]): readonly Problem[] {
  if (buckets.length === 0 || buckets.some(({ key }) => key.name === DEFAULT_BUCKET)) return [];
  const message = `there is no bucket \`${DEFAULT_BUCKET}\`: namespaces that match no pattern have no revision`;
  const help = `add \`${DEFAULT_BUCKET}:\` with the revision that everything else runs`;
  return [{ code: "MR1003", span: { start: 0, end: 1 }, message, help }];
}

/** MR1004, reported at the last percentage, the one most often forgotten. */
export function checkSum(bucket: BucketLayout): readonly Problem[] {
  const last = bucket.shares.at(-1);
  const weights = bucket.shares.map(({ weight }) => weight);
  const names = new Set(bucket.shares.map(({ key }) => key.name));
  // A share without a number, or a repeated one, has a finding of its own.
  if (last === undefined || names.size < weights.length || !weights.every((weight) => weight !== undefined)) return [];
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 100) return [];
  const others = bucket.shares.slice(0, -1);
  return [
    {
      code: "MR1004",
      span: last.value,
      message: `percentages of this bucket add up to ${sum}, not 100`,
      label: others.length === 0 ? "the only one" : `+ ${last.weight ?? 0} = ${sum}`,
      related: [
        { span: bucket.key.span, message: "" },
        ...others.map(({ value, weight }, index) => ({
          span: value,
          message: `${index === 0 ? "" : "+ "}${weight ?? 0}`,
        })),
      ],
      help: suggestWeight(others, sum - (last.weight ?? 0)),
    },
  ];
}

function suggestWeight(others: readonly ShareLayout[], before: number): string {
  if (before > 100) return `lower the others first: they already add up to ${before}`;
  if (others.length === 0) return "make it 100";
  const kept =
    others.length === 1 ? `${others[0]?.key.name ?? ""} should keep ${before}` : "the others should stay as they are";
  return `make it ${100 - before} if ${kept}`;
}

/** The form of a Kubernetes label value, because the revision becomes `istio.io/rev`. */
const LABEL_VALUE = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/u;
/** For `schema/rollouts.json`. */
export const revisionPattern = LABEL_VALUE.source;
const MAX_LABEL = 63;

/** Whether a revision is valid as the label `istio.io/rev`. */
export function isRevision(name: string): boolean {
  return name.length <= MAX_LABEL && LABEL_VALUE.test(name);
}

/** istioctl and Istio's charts require a DNS label, because it is a part of Services' names. */
const INSTALLABLE = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/u;

/**
 * MR1021: why no control plane can be installed under a name that is a valid label, with the name that Istio's documentation
 * suggests; undefined where one can.
 */
export function findRevisionSlip(name: string): { readonly message: string; readonly help: string } | undefined {
  if (!isRevision(name) || INSTALLABLE.test(name)) return undefined;
  const message = `istioctl refuses a revision named ${quoteText(name)}: it takes small letters, digits and \`-\``;
  return {
    message,
    help: `write ${quoteText(name.toLowerCase().replaceAll(/[._]/gu, "-"))}, unless it is a revision tag`,
  };
}

/** MR1011, MR1016 (errors), MR1021 (warning) and MR1010 (note) for the name of a revision. */
export function checkRevision(key: KeyLayout): readonly Problem[] {
  const copied = checkLookAlike(key, "revision");
  if (copied.length > 0) return copied;
  const slip = findRevisionSlip(key.name);
  const warned: readonly Problem[] =
    slip === undefined ? [] : [{ code: "MR1021", severity: "warning", span: key.span, ...slip }];
  if (isRevision(key.name)) return [...checkNumberLike(key, "revision"), ...warned];
  const message = `revision ${quoteText(key.name)} cannot be the value of the label istio.io/rev`;
  const help = "letters, digits, `-`, `_` and `.`, at most 63, beginning and ending with a letter or a digit";
  return [
    {
      code: "MR1016",
      span: key.span,
      message,
      help,
      ...(key.name.length > MAX_LABEL && { label: `${key.name.length} characters` }),
    },
  ];
}

/** MR1011: characters that look like ASCII but are not, and match nothing. */
export function checkLookAlike(key: KeyLayout, what: "revision" | "pattern"): readonly Problem[] {
  const found = findLookAlike(key.name);
  if (found === undefined) return [];
  const message = `${what} ${quoteText(key.name)} contains ${found.name}`;
  const meant = found.meant === undefined ? undefined : quoteText(found.meant);
  const label = meant === undefined ? "not an ASCII character" : `looks like ${meant}, probably pasted from a web page`;
  const help = meant === undefined ? "names of revisions and namespaces are plain ASCII" : `write ${meant}`;
  return [{ code: "MR1011", span: key.span, message, label, help }];
}

/** MR1010: text that another YAML reader may take for something else (`1.20` for 1.2). */
export function checkNumberLike(key: KeyLayout, what: "revision" | "pattern"): readonly Problem[] {
  const other = key.quote === "" ? describeScalar(key.name) : undefined;
  if (other === undefined) return [];
  const message = `${what} ${quoteText(key.name)} is read as written, though other YAML readers take it for ${other}`;
  return [{ code: "MR1010", severity: "note", span: key.span, message, help: `quote it: "${key.name}"` }];
}
