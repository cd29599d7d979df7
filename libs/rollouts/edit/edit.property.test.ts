import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editShares, type ShareChange } from "./edit.ts";
import { parseRollouts } from "../parse.ts";

/** A generated file with each percentage as a hole, so that the expected result of an edit needs none of our own code. */
interface Draft {
  readonly pieces: readonly string[];
  readonly weights: readonly number[];
  readonly names: readonly { readonly pattern: string; readonly revision: string }[];
}

const comment = fc.constantFrom("", "", " ", "  ", " # 75 {a: 1}", "\t# &x *y 'z'", " #");
const between = fc.constantFrom("", "", "\n", "   \n", "# 1-24-5: 75\n", "  # indented\n\n");
const quote = fc.constantFrom("", '"', "'");
const colon = fc.constantFrom(": ", ":   ", " : ", ":\t");

function splitHundred(count: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.integer({ min: 0, max: 100 }), { minLength: count - 1, maxLength: count - 1 }).map((cuts) => {
    const edges = [0, ...cuts.toSorted((a, b) => a - b), 100];
    return edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0));
  });
}

interface BucketDraft {
  readonly pattern: string;
  readonly pieces: readonly string[];
  readonly weights: readonly number[];
  readonly revisions: readonly string[];
}

/** A bucket in lines or in braces; the pieces are the text around the percentages. */
function draftBucket(pattern: string): fc.Arbitrary<BucketDraft> {
  const revisions = fc.uniqueArray(fc.constantFrom("1-24-5", "1-25-2", "canary", "1.20", "007", "a_b"), {
    minLength: 1,
    maxLength: 4,
  });
  return revisions.chain((names) =>
    fc
      .record({
        weights: splitHundred(names.length),
        keyQuote: quote,
        quotes: fc.array(quote, { minLength: names.length, maxLength: names.length }),
        colons: fc.array(colon, { minLength: names.length, maxLength: names.length }),
        comments: fc.array(comment, { minLength: names.length + 1, maxLength: names.length + 1 }),
        gaps: fc.array(between, { minLength: names.length + 1, maxLength: names.length + 1 }),
        indent: fc.integer({ min: 1, max: 6 }),
        isFlow: fc.boolean(),
        comma: fc.constantFrom(", ", ",", " , ", ",\n    "),
      })
      .map((draft) => {
        const key = `${draft.keyQuote}${pattern}${draft.keyQuote}:`;
        const entries = names.map(
          (name, at) => `${draft.quotes[at] ?? ""}${name}${draft.quotes[at] ?? ""}${draft.colons[at] ?? ": "}`,
        );
        const pieces = draft.isFlow
          ? [
              `${draft.gaps[0] ?? ""}${key} {${entries[0] ?? ""}`,
              ...entries.slice(1).map((entry) => `${draft.comma}${entry}`),
              `}${draft.comments[0] ?? ""}\n`,
            ]
          : [
              `${draft.gaps[0] ?? ""}${key}${draft.comments[0] ?? ""}\n${" ".repeat(draft.indent)}${entries[0] ?? ""}`,
              ...entries
                .slice(1)
                .map(
                  (entry, at) =>
                    `${draft.comments[at + 1] ?? ""}\n${draft.gaps[at + 1] ?? ""}${" ".repeat(draft.indent)}${entry}`,
                ),
              `${draft.comments.at(-1) ?? ""}\n`,
            ];
        return { pattern, pieces, weights: draft.weights, revisions: names };
      }),
  );
}

const patterns = ["production", ".*-staging", "payments-.*", "istio-e2e", "^a-(b|c)[0-9]+$"];

const draftFile: fc.Arbitrary<Draft> = fc
  .record({
    buckets: fc.tuple(...patterns.map((pattern) => draftBucket(pattern))),
    order: fc.shuffledSubarray([1, 2, 3, 4]),
    isCrlf: fc.boolean(),
    hasMark: fc.boolean(),
    endsOpen: fc.boolean(),
  })
  .map(({ buckets, order, isCrlf, hasMark, endsOpen }) => {
    const chosen = [0, ...order].flatMap((index) => buckets[index] ?? []);
    const pieces = chosen.reduce<readonly string[]>(
      (joined, { pieces: own }) => [...joined.slice(0, -1), `${joined.at(-1) ?? ""}${own[0] ?? ""}`, ...own.slice(1)],
      [hasMark ? "\uFEFF" : ""],
    );
    const ended = endsOpen ? [...pieces.slice(0, -1), (pieces.at(-1) ?? "").replace(/\n$/u, "")] : pieces;
    return {
      pieces: ended.map((piece) => (isCrlf ? piece.replaceAll("\n", "\r\n") : piece)),
      weights: chosen.flatMap(({ weights }) => weights),
      names: chosen.flatMap(({ pattern, revisions }) => revisions.map((revision) => ({ pattern, revision }))),
    };
  });

function fill(draft: Draft, weights: readonly number[]): string {
  return draft.pieces.map((piece, index) => `${piece}${weights[index] ?? ""}`).join("");
}

/** Other percentages for every bucket of a draft. */
function reweigh(draft: Draft): fc.Arbitrary<readonly number[]> {
  const counts = [...Map.groupBy(draft.names, ({ pattern }) => pattern).values()].map((names) => names.length);
  return fc.tuple(...counts.map(splitHundred)).map((parts) => parts.flat());
}

function toChanges(draft: Draft, weights: readonly number[]): readonly ShareChange[] {
  const shares = draft.names.map(({ pattern, revision }, index) => ({
    pattern,
    revision,
    weight: weights[index] ?? 0,
  }));
  return [...Map.groupBy(shares, ({ pattern }) => pattern)].map(([pattern, own]) => ({
    pattern,
    shares: own.map(({ revision, weight }) => ({ revision, weight })),
  }));
}

describe("editShares on generated files", () => {
  it("changes only digits, whatever surrounds them", () => {
    const drafts = draftFile.chain((draft) => fc.tuple(fc.constant(draft), reweigh(draft)));
    fc.assert(
      fc.property(drafts, ([draft, weights]) => {
        const edited = editShares(fill(draft, draft.weights), toChanges(draft, weights));
        expect(edited).toEqual({ ok: true, text: fill(draft, weights) });
      }),
      { numRuns: 1000 },
    );
  });

  it("an edit and its reverse give the same bytes", () => {
    const drafts = draftFile.chain((draft) => fc.tuple(fc.constant(draft), reweigh(draft)));
    fc.assert(
      fc.property(drafts, ([draft, weights]) => {
        const text = fill(draft, draft.weights);
        const edited = editShares(text, toChanges(draft, weights));
        expect(edited.ok && editShares(edited.text, toChanges(draft, draft.weights))).toEqual({ ok: true, text });
      }),
      { numRuns: 200 },
    );
  });

  it("adds a revision by inserting one piece of text, and keeps every other byte", () => {
    const drafts = draftFile.chain((draft) => fc.tuple(fc.constant(draft), reweigh(draft), fc.nat()));
    fc.assert(
      fc.property(drafts, ([draft, weights, pick]) => {
        const pattern = draft.names[pick % draft.names.length]?.pattern;
        const changes = toChanges(draft, weights).map((change) =>
          change.pattern === pattern
            ? { pattern, shares: [...change.shares, { revision: "1-26-0", weight: 0 }] }
            : change,
        );
        const edited = editShares(fill(draft, draft.weights), changes);
        const after = edited.ok ? edited.text : "";

        expect(cutInsertion(after, fill(draft, weights))).toMatch(/^[^#&*]*1-26-0[^#&*]*$/u);
        const parsed = parseRollouts(after, "rollouts.yml");
        const bucket = parsed.ok ? parsed.value.buckets.find((one) => one.pattern === pattern) : undefined;
        expect(bucket?.shares.at(-1)).toEqual({ revision: "1-26-0", weight: 0 });
      }),
      { numRuns: 500 },
    );
  });
});

/** The text that was inserted into `before` in one place; undefined when they differ in any other way. */
function cutInsertion(after: string, before: string): string | undefined {
  const length = after.length - before.length;
  let start = 0;
  while (start < before.length && after[start] === before[start]) start++;
  return length > 0 && after.slice(start + length) === before.slice(start)
    ? after.slice(start, start + length)
    : undefined;
}
