import type { Ask, StopScope } from "#libs/plan";
import { z } from "zod";

/** KV `control`, key `state`: rewritten by the planner from the ledger every 10 s; `beat` changes each time (rules 7.2). */
const controlState = z.object({
  version: z.literal(1),
  ledger: z.string().optional(),
  main: z.string(),
  seeded: z.boolean(),
  /** The ledger's `sequence` that the writer knew: a state that knows more is never replaced by one that knows less. */
  sequence: z.number().int(),
  beat: z.string(),
  /** The planner process that wrote it: an executor that sees another one publishes itself at once. */
  writer: z.string(),
});
export type ControlState = z.infer<typeof controlState>;

const scope = z.custom<StopScope>((value) => typeof value === "string" && value.length > 0);

/** KV `control`, key `ask.<id>`: a person's verb on its way. */
const ask = z.object({
  version: z.literal(1),
  id: z.string(),
  verb: z.enum(["stop", "lift", "retry", "rollback"]),
  scope,
  strength: z.enum(["propose", "move"]),
  who: z.string(),
  verified: z.literal(true).exactOptional(),
  why: z.string(),
  at: z.string(),
  until: z.iso.datetime().exactOptional(),
  stops: z.array(z.string()).exactOptional(),
  workloads: z.array(z.string()).exactOptional(),
  revertTo: z.string().exactOptional(),
  now: z.literal(true).exactOptional(),
});

function parseAs<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: somebody else's key, or a torn write. Unknown is what the caller must assume, and undefined says so.
    return undefined;
  }
}

export function printControlState(state: ControlState): string {
  return JSON.stringify(state);
}

/** Undefined for anything that is not ours: then control is unknown and nobody moves. */
export function readControlState(text: string): ControlState | undefined {
  return parseAs(controlState, text);
}

export function printAsk(value: Ask): string {
  return JSON.stringify({ version: 1, ...value });
}

export function readAsk(text: string): Ask | undefined {
  return parseAs(ask, text);
}
