import { deserialize, serialize } from "node:v8";

import { z } from "zod";

import type { PullRequestVerdict, Text } from "#libs/wording";

import type { JudgeQuestion } from "./port.ts";
import type { SnapshotUpdate } from "./snapshot.ts";

/** What the judge's process receives. Only its parent writes to it, so messages are not validated there. */
export type ToJudge =
  | { readonly kind: "snapshot"; readonly update: SnapshotUpdate }
  | { readonly kind: "question"; readonly question: JudgeQuestion };

const headBytes = 4;

/** Length (4 bytes, big-endian), then the value in V8's format, which keeps maps. */
export function writeFrame(message: ToJudge): Buffer {
  const body = serialize(message);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Takes chunks of bytes, and passes on each complete message. */
export function createFrameReader(onMessage: (message: ToJudge) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  /** How many bytes are needed: the header, then the whole first message. */
  let wanted = headBytes;

  /** Chunks are joined only when a header or a message is complete: a snapshot arrives in a thousand chunks. */
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
    // Written by writeFrame of the same version, because the parent starts this process from its own files.
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

/** Text that is only shown. */
function limitText(most: number): z.ZodType<Text, string> {
  return z.string().max(most) as z.ZodType as z.ZodType<Text, string>;
}

const check = z.strictObject({
  state: z.enum(["success", "failure", "pending", "neutral"]),
  title: limitText(200),
  summary: limitText(70_000),
});

const verdict: z.ZodType<PullRequestVerdict> = z.strictObject({
  plan: check,
  approvals: check,
  isRollback: z.boolean(),
  list: z.string(),
});

/**
 * What the judge's process writes, one JSON object on a line. Validated like any text from outside: strangers' files were
 * parsed there.
 */
const fromJudge = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready") }),
  z.strictObject({ kind: z.literal("judged"), verdict }),
  z.strictObject({ kind: z.literal("fault"), why: z.string().max(1000) }),
]);

export type FromJudge = z.infer<typeof fromJudge>;

/** Undefined for a line that is no valid message. */
export function readAnswer(line: string): FromJudge | undefined {
  try {
    return fromJudge.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON, such as half a line of a process that crashed.
    return undefined;
  }
}
