import { isMap, isScalar, type Node, type Pair, type Scalar, type YAMLMap } from "yaml";
import { quoteText, type Problem, type Span } from "./source.ts";
import { readWeight } from "./weight.ts";

/** A key as written: its value (quotes resolved) and where it stands (quotes included). */
export interface KeyLayout {
  readonly name: string;
  readonly span: Span;
  readonly quote: "" | "'" | '"';
}

/** One `revision: percentage` with the place of its digits. */
export interface ShareLayout {
  readonly key: KeyLayout;
  readonly value: Span;
  /** Undefined when what stands there is not a whole percentage; the finding is already made. */
  readonly weight: number | undefined;
}

/** One bucket as it is in the file: what an edit needs to know. */
export interface BucketLayout {
  readonly key: KeyLayout;
  /** `{a: 75, b: 25}` rather than one line per share. */
  readonly flow: boolean;
  readonly shares: readonly ShareLayout[];
}

export interface Layout {
  readonly buckets: readonly BucketLayout[];
  /** MR1002, MR1005, MR1018: whatever keeps the file from being two levels of unique keys with whole percentages. */
  readonly problems: readonly Problem[];
}

const EXAMPLE = "write `production:` and below it, indented, `<revision>: 100`";

/** Walks the tree of a file once and finds where everything stands. */
export function readLayout(root: Node | null): Layout {
  const problems: Problem[] = [];
  if (!isMap(root)) return { buckets: [], problems: [refuseRoot(root)] };
  const buckets = readPairs(root, "bucket", problems).map((pair) => readBucket(pair, problems));
  return { buckets, problems };
}

function refuseRoot(root: Node | null): Problem {
  const span = spanOf(root);
  const message = isEmpty(root) ? "the file has no buckets" : "the file is not a map of buckets";
  return { code: "MR1018", span, message, help: EXAMPLE };
}

interface KeyedPair {
  readonly key: KeyLayout;
  readonly value: unknown;
}

/** The pairs of a map, each later duplicate reported with the place of the first: linear, unlike the library's own check. */
function readPairs(map: YAMLMap, what: "bucket" | "revision", problems: Problem[]): readonly KeyedPair[] {
  const first = new Map<string, Span>();
  const pairs: KeyedPair[] = [];
  for (const pair of map.items) {
    const key = readKey(pair, problems);
    if (key === undefined) continue;
    const before = first.get(key.name);
    if (before === undefined) first.set(key.name, key.span);
    else problems.push(refuseDuplicate(key, before, what));
    pairs.push({ key, value: pair.value });
  }
  return pairs;
}

function readKey(pair: Pair, problems: Problem[]): KeyLayout | undefined {
  const node = pair.key;
  if (isScalar(node) && typeof node.value === "string" && !isEmpty(node)) {
    return { name: node.value, span: spanOf(node), quote: quoteOf(node) };
  }
  const span = spanOf(node ?? pair.value);
  problems.push({ code: "MR1018", span, message: "the name before `:` is missing or not text", help: EXAMPLE });
  return undefined;
}

function refuseDuplicate(key: KeyLayout, before: Span, what: "bucket" | "revision"): Problem {
  return {
    code: "MR1002",
    span: key.span,
    message: `${what} ${quoteText(key.name)} is written twice`,
    label: "and again here",
    related: [{ span: before, message: "first written here" }],
    help: `keep one of the two: readers of YAML differ on which of them counts`,
  };
}

function readBucket(pair: KeyedPair, problems: Problem[]): BucketLayout {
  const { key, value } = pair;
  if (!isMap(value) || value.items.length === 0) {
    problems.push(refuseBucket(key, value));
    return { key, flow: false, shares: [] };
  }
  const shares = readPairs(value, "revision", problems).map((share) => readShare(share, problems));
  return { key, flow: value.flow === true, shares };
}

function refuseBucket(key: KeyLayout, value: unknown): Problem {
  const name = quoteText(key.name);
  const help = "give it revisions whose percentages add up to 100, or delete it";
  if (isMap(value) || isEmpty(value))
    return { code: "MR1018", span: key.span, message: `bucket ${name} has no revisions`, help };
  const message = `bucket ${name} is not a map of revisions`;
  return {
    code: "MR1018",
    span: spanOf(value),
    message,
    help: "write `<revision>: <percentage>` on lines of their own",
  };
}

function readShare(pair: KeyedPair, problems: Problem[]): ShareLayout {
  const { key, value } = pair;
  const span = isEmpty(value) ? key.span : spanOf(value);
  const read = readWeight(value, key.name);
  if (read.ok) return { key, value: span, weight: read.weight };
  problems.push({ code: read.code, span, message: read.message, help: read.help });
  return { key, value: span, weight: undefined };
}

function isEmpty(node: unknown): boolean {
  if (node === null || node === undefined) return true;
  return isScalar(node) && node.type === "PLAIN" && (node.source ?? "") === "";
}

function spanOf(node: unknown): Span {
  const range = isScalar(node) || isMap(node) || hasRange(node) ? node.range : undefined;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 1 };
}

function hasRange(node: unknown): node is Node {
  return typeof node === "object" && node !== null && "range" in node;
}

function quoteOf(node: Scalar): KeyLayout["quote"] {
  if (node.type === "QUOTE_DOUBLE") return '"';
  return node.type === "QUOTE_SINGLE" ? "'" : "";
}
