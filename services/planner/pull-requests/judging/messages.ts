import { deserialize, serialize } from "node:v8";

import { z } from "zod";

import type { PullRequestVerdict, Text } from "#libs/wording";

import type { JudgeQuestion } from "./port.ts";
import type { SnapshotUpdate } from "./snapshot.ts";

/** What the judge's process gets. Only our own process speaks to it, so its form is not checked there. */
export type ToJudge =
  | { readonly kind: "snapshot"; readonly update: SnapshotUpdate }
  | { readonly kind: "question"; readonly question: JudgeQuestion };

const headBytes = 4;

/** Length (4 bytes), then the value as V8 writes it: maps stay maps. */
export function writeFrame(message: ToJudge): Buffer {
  const body = serialize(message);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Takes bytes as they come, and hands on each whole message. */
export function createFrameReader(onMessage: (message: ToJudge) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** Where the first message ends; its length before its head is here. */
  let wanted = headBytes;

  /** Joined only when a head or a message is whole: a snapshot comes in a thousand pieces. */
  function takeOne(): boolean {
    if (bytes < wanted) return false;
    const whole = Buffer.concat(chunks);
    chunks = [whole];
    const end = headBytes + whole.readUInt32BE(0);
    if (bytes < end) {
      wanted = end;
      return false;
    }
    chunks = [whole.subarray(end)];
    bytes -= end;
    wanted = headBytes;
    // Written by writeFrame of the same version: one process starts the other.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- V8 says no type
    onMessage(deserialize(whole.subarray(headBytes, end)) as ToJudge);
    return true;
  }

  return (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (takeOne());
  };
}

/** A sentence that is only shown. */
function words(most: number): z.ZodType<Text, string> {
  return z.string().max(most) as z.ZodType as z.ZodType<Text, string>;
}

const check = z.strictObject({
  state: z.enum(["success", "failure", "pending", "neutral"]),
  title: words(200),
  summary: words(70_000),
});

const verdict: z.ZodType<PullRequestVerdict> = z.strictObject({
  plan: check,
  approvals: check,
  isRollback: z.boolean(),
  list: z.string(),
});

/** What the judge's process says, one line of JSON each; believed no more than any other text. */
const fromJudge = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready") }),
  z.strictObject({ kind: z.literal("judged"), verdict }),
  z.strictObject({ kind: z.literal("fault"), why: z.string().max(1000) }),
]);

export type FromJudge = z.infer<typeof fromJudge>;

/** Undefined for a line that says nothing that a judge may say. */
export function readAnswer(line: string): FromJudge | undefined {
  try {
    return fromJudge.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON: half a line of a process that broke.
    return undefined;
  }
}
