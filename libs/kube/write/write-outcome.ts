import { type ApiAnswer, readMessage } from "../requests/api-call.ts";
import type { WriteOutcome } from "../port.ts";

/** No verdicts on this write: 401 concerns every request until the credentials are renewed, the others pass. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 429]);

/** What an answer to a write means. Everything that is not clearly a verdict is `unavailable`. */
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

/** `failurePolicy: Fail`: an API server says so in these words and no others. */
function isByWebhook(answer: ApiAnswer): boolean {
  return answer.status === 500 && readMessage(answer).includes("failed calling webhook");
}

function readVersion(body: unknown): string {
  const metadata = (body as { readonly metadata?: { readonly resourceVersion?: unknown } } | undefined)?.metadata;
  return typeof metadata?.resourceVersion === "string" ? metadata.resourceVersion : "";
}
