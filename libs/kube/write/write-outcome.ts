import { type ApiAnswer, readMessage } from "../requests/api-call.ts";
import type { WriteOutcome } from "../port.ts";

/** Statuses that are no verdict on this write: 401 concerns all requests until credentials are renewed, the others pass. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 429]);

/** Interprets the answer to a write. Whatever is not clearly a verdict is `unavailable`. */
export function toOutcome(answer: ApiAnswer): WriteOutcome {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: "written", resourceVersion: readVersion(answer.body) };
  if (status === 409) return { kind: "conflict" };
  if (status === 404) return { kind: "gone" };
  if (status >= 400 && status < 500 && !PASSING.has(status)) return { kind: "refused", why: readMessage(answer) };
  const why = `${status}: ${readMessage(answer)}`;
  return {
    kind: "unavailable",
    why,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(isByWebhook(answer) ? { byWebhook: true } : {}),
  };
}

/** The API server's message for an unanswered webhook with `failurePolicy: Fail`. */
function isByWebhook(answer: ApiAnswer): boolean {
  return answer.status === 500 && readMessage(answer).includes("failed calling webhook");
}

function readVersion(body: unknown): string {
  const metadata = (body as { readonly metadata?: { readonly resourceVersion?: unknown } } | undefined)?.metadata;
  return typeof metadata?.resourceVersion === "string" ? metadata.resourceVersion : "";
}
