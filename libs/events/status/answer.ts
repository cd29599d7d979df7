import { formatVersion } from "#libs/input";
import { z } from "zod";
import { ownVersion, line, findOtherVersion, readJson } from "../forms.ts";

/** KV `status`, key `answer.<id>`: the result of a verb. */
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

/** The key of the answer to a verb. */
export function nameAnswerKey(id: string): string {
  return `answer.${id}`;
}

export function printAnswer(answer: VerbAnswer): string {
  return JSON.stringify({ version: formatVersion, ...answer });
}

/** The value of an answer's key; `other`: another version wrote it, and this one cannot read it. */
export type ReadAnswer =
  | { readonly kind: "answer"; readonly answer: VerbAnswer }
  | { readonly kind: "other"; readonly why: string };

/** Undefined for a foreign value, which counts as no answer yet. */
export function readAnswer(text: string): ReadAnswer | undefined {
  const why = findOtherVersion(text);
  if (why !== undefined) return { kind: "other", why };
  const read = readJson(verbAnswer, text, 16 * 1024);
  return read.ok ? { kind: "answer", answer: { text: read.value.text, outcome: read.value.outcome } } : undefined;
}
