import { z } from "zod";

import type { Found, Marker } from "./port.ts";

/** Slack's message metadata: members do not see it, apps of the workspace may. */
const eventType = "meshroll_message";

const message = z.object({
  ts: z.string(),
  metadata: z.object({
    event_type: z.literal(eventType),
    event_payload: z.object({ key: z.string(), note: z.string().optional() }),
  }),
});

/** A marker as Slack keeps it. */
export function toMetadata({ key, note }: Marker) {
  return { event_type: eventType, event_payload: { key, ...(note === undefined ? {} : { note }) } };
}

/** A message of Slack's answer; undefined when it is not ours. */
export function readFound(answer: unknown): Found | undefined {
  const parsed = message.safeParse(answer).data;
  if (parsed === undefined) return undefined;
  const { key, note } = parsed.metadata.event_payload;
  return { id: parsed.ts, marker: { key, ...(note === undefined ? {} : { note }) } };
}
