/** What is known of how true the picture is. */
export interface Signs {
  /** Ms since the api was heard last; undefined = never. */
  readonly silentMs: number | undefined;
  /** Since the planner wrote its status, as the api says. */
  readonly statusAgeSeconds: number | undefined;
  readonly isBusUp: boolean;
  readonly hasStatus: boolean;
}

export type FreshnessKind = "connecting" | "live" | "behind" | "cutOff" | "busAway" | "stale" | "unknown";

export interface Freshness {
  readonly kind: FreshnessKind;
  /** One sentence for people. */
  readonly text: string;
  /** How long it has been so: it grows with each second, and no screen reader shall read it out. */
  readonly since?: string;
}

/** The api gives a sign twice a second: a picture is older than a second when two of them are missing. */
const behindMs = 1500;
const cutOffMs = 10_000;
/** The planner writes every five seconds; the api's own limit. */
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
      text: "the planner writes nothing: this is an old picture",
      since: printSeconds(statusAgeSeconds * 1000),
    };
  return { kind: "live", text: "live" };
}
