import type { IncomingHttpHeaders } from "node:http";

import { readHint } from "../hints/hint.ts";
import { type Answer, answerError, answerJson, type Call, type Route } from "../http/answer.ts";
import { BodyRefused } from "../http/read-body.ts";
import type { ServerParts } from "./server-parts.ts";
import { isSignature, signatureHeader, verifySignature } from "../hints/verify-signature.ts";

const formType = "application/x-www-form-urlencoded";
const types: readonly string[] = ["application/json", formType];

/** How a delivery is counted, and what its sender is answered. */
interface Outcome {
  readonly counted: string;
  readonly answer: Answer;
}

function readType(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The JSON of a delivery, for both content types that GitHub offers; undefined when it is none. */
function readPayload(body: Buffer, type: string): unknown {
  const isForm = type === formType;
  const text = isForm ? (new URLSearchParams(body.toString("utf8")).get("payload") ?? "") : body.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    // Signed but no JSON, which GitHub does not send. The caller refuses it.
    return undefined;
  }
}

/** Refuses a request without reading its body, and closes the connection. */
function refuseEarly(parts: ServerParts, call: Call): Outcome | undefined {
  const { headers } = call.request;
  const refuse = (counted: string, status: number, error: string, message: string): Outcome => {
    return { counted, answer: answerError(call, status, error, message, { connection: "close" }) };
  };
  if (parts.webhookSecrets.length === 0) {
    const message = "no secret is configured here: set MESHROLL_GITHUB_WEBHOOK_SECRET";
    return refuse("off", 503, "WebhooksOff", message);
  }
  if (!isSignature(headers[signatureHeader])) {
    const message = "the delivery has no X-Hub-Signature-256: set a secret at the webhook";
    return refuse("unsigned", 401, "Unsigned", message);
  }
  if (types.includes(readType(headers))) return undefined;
  const message = `the body must be ${types.join(" or ")}`;
  return refuse("malformed", 415, "UnsupportedMediaType", message);
}

async function takeDelivery(parts: ServerParts, call: Call): Promise<Outcome> {
  const refused = refuseEarly(parts, call);
  if (refused !== undefined) return refused;
  const { headers } = call.request;
  const body = await call.readBody();
  if (!(await verifySignature(body, String(headers[signatureHeader]), parts.webhookSecrets))) {
    const answer = answerError(call, 401, "WrongSignature", "the signature matches no configured secret");
    return { counted: "forged", answer };
  }
  const payload = readPayload(body, readType(headers));
  if (payload === undefined) {
    return {
      counted: "malformed",
      answer: answerError(call, 400, "BadRequest", "the body is not a delivery of GitHub"),
    };
  }
  const hint = readHint(String(headers["x-github-event"]), payload, parts.branch);
  if (hint !== undefined) parts.hint(hint);
  return { counted: hint === undefined ? "ignored" : "hint", answer: answerJson(202, { hint: hint ?? null }) };
}

/**
 * `POST /webhooks/github`: a delivery signed with one of the secrets becomes a hint and is answered at once. Its body only says
 * what to look at, so a repeated, late or replayed one costs a reconcile and changes nothing.
 */
export function createWebhookRoute(parts: ServerParts): Route {
  const seen = parts.vitals.metrics.count("meshroll_webhooks_total", "Deliveries of GitHub by outcome", ["outcome"]);
  return {
    method: "POST",
    path: "/webhooks/github",
    isSigned: true,
    async handle(call) {
      try {
        const { counted, answer } = await takeDelivery(parts, call);
        seen.add({ outcome: counted });
        return answer;
      } catch (error) {
        seen.add({ outcome: error instanceof BodyRefused && error.reason === "Busy" ? "busy" : "malformed" });
        throw error;
      }
    },
  };
}
