import { formatVersion } from "#libs/input";
import { z } from "zod";
import { ownVersion, line, findOtherVersion, readJson } from "../forms.ts";

/** KV `status`, key `answer.<id>`: what became of a verb, for the one who waits for it. */
const verbAnswer = z.object({
  version: ownVersion,
  /** For people. */
  text: line(2000),
  /** `refused`: it cannot be carried out; `nothing`: there was nothing to do. */
  outcome: z.enum(["done", "refused", "nothing"]),
});

export interface VerbAnswer {
  readonly text: string;
  readonly outcome: "done" | "refused" | "nothing";
}

/** The key that the answer to a verb stands under. */
export function nameAnswerKey(id: string): string {
  return `answer.${id}`;
}

export function printAnswer(answer: VerbAnswer): string {
  return JSON.stringify({ version: formatVersion, ...answer });
}

/** What stands under the key of an answer; `other`: a build of another version answered, in words that this one cannot read. */
export type ReadAnswer =
  | { readonly kind: "answer"; readonly answer: VerbAnswer }
  | { readonly kind: "other"; readonly why: string };

/** Undefined for anything that is not ours: then no planner has answered yet. */
export function readAnswer(text: string): ReadAnswer | undefined {
  const why = findOtherVersion(text);
  if (why !== undefined) return { kind: "other", why };
  const read = readJson(verbAnswer, text, 16 * 1024);
  return read.ok ? { kind: "answer", answer: { text: read.value.text, outcome: read.value.outcome } } : undefined;
}
