/** The facts about how recent the picture is. */
export interface Signs {
  /** Ms since the last event of the api; undefined = none yet. */
  readonly silentMs: number | undefined;
  /** Age of the planner's status, as the api reports it. */
  readonly statusAgeSeconds: number | undefined;
  readonly isBusUp: boolean;
  readonly hasStatus: boolean;
}

export type FreshnessKind = "connecting" | "live" | "behind" | "cutOff" | "busAway" | "stale" | "unknown";

export interface Freshness {
  readonly kind: FreshnessKind;
  /** One sentence for people. */
  readonly text: string;
  /** For how long; separate from the text, because it changes each second and screen readers should not read it. */
  readonly since?: string;
}

/** The api sends a pulse twice a second: after two missing ones the picture is not recent. */
const behindMs = 1500;
const cutOffMs = 10_000;
/** The planner writes every five seconds; the api has the same limit. */
const staleSeconds = 30;

function printSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

/** Whether the page shows the present, and if not, why. Pure. */
export function judgeFreshness({ silentMs, statusAgeSeconds, isBusUp, hasStatus }: Signs): Freshness {
  if (silentMs === undefined) return { kind: "connecting", text: "connecting" };
  if (silentMs > cutOffMs)
    return { kind: "cutOff", text: "no answer from the api: this is an old picture", since: printSeconds(silentMs) };
  if (silentMs > behindMs) return { kind: "behind", text: "behind", since: printSeconds(silentMs) };
  if (!isBusUp) return { kind: "busAway", text: "NATS does not answer: this is an old picture" };
  if (!hasStatus || statusAgeSeconds === undefined)
    return { kind: "unknown", text: "no planner has published a status" };
  if (statusAgeSeconds > staleSeconds)
    return {
      kind: "stale",
      text: "the planner writes no status: this is an old picture",
      since: printSeconds(statusAgeSeconds * 1000),
    };
  return { kind: "live", text: "live" };
}
