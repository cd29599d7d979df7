import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { sendError } from "../answer-errors.ts";
import type { ServerParts } from "../server-parts.ts";
import { readHint } from "../hint.ts";
import { isSignature, signatureHeader, verifySignature } from "../verify-signature.ts";

/** So many bodies are read at a time: a flood costs no more memory than these. */
const mostAtOnce = 16;

/** The JSON of a delivery, of either content type that GitHub can be set to; undefined when it is none. */
function readPayload(body: Buffer, type = ""): unknown {
  const isForm = type.startsWith("application/x-www-form-urlencoded");
  const text = isForm ? (new URLSearchParams(body.toString("utf8")).get("payload") ?? "") : body.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    // Signed, and still no JSON: nothing that GitHub sends. The caller refuses it.
    return undefined;
  }
}

/** Refuses what is not worth reading a body for; answers by which word it is counted. */
function refuseEarly(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  inHand: number,
): string | undefined {
  // Whoever sends what nobody reads must not keep the connection.
  const refuse = (status: number, error: string, message: string): void => {
    void reply.header("connection", "close");
    sendError(request, reply, status, error, message);
  };
  if (parts.webhookSecrets.length === 0) {
    refuse(503, "WebhooksOff", "no secret is configured here: set MESHROLL_GITHUB_WEBHOOK_SECRET");
    return "off";
  }
  if (!isSignature(request.headers[signatureHeader])) {
    refuse(401, "Unsigned", "the delivery has no X-Hub-Signature-256: set a secret at the webhook");
    return "unsigned";
  }
  if (inHand < mostAtOnce) return undefined;
  refuse(503, "Busy", "too many deliveries at once: what they say is found by polling");
  return "busy";
}

/**
 * `POST /webhooks/github`: a delivery that one of the secrets signed becomes a hint, and is answered at once. Nothing is
 * taken from its body but what to look at, so a repeated, late or replayed one costs a look and changes nothing.
 */
export function addWebhookRoute(scope: FastifyInstance, parts: ServerParts): void {
  const seen = parts.vitals.metrics.count("meshroll_webhooks_total", "Deliveries of GitHub by what became of them", [
    "outcome",
  ]);
  let inHand = 0;
  scope.removeAllContentTypeParsers();
  // The bytes as they came: a signature is over them, not over what they mean.
  scope.addContentTypeParser(
    ["application/json", "application/x-www-form-urlencoded"],
    { parseAs: "buffer" },
    (_request, body, done) => done(null, body),
  );
  scope.addHook("onRequest", async (request, reply) => {
    const refused = refuseEarly(parts, request, reply, inHand);
    if (refused !== undefined) {
      seen.add({ outcome: refused });
      return reply;
    }
    inHand += 1;
    reply.raw.once("close", () => void (inHand -= 1));
  });
  scope.post("/webhooks/github", async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const signature = String(request.headers[signatureHeader]);
    if (!(await verifySignature(body, signature, parts.webhookSecrets))) {
      seen.add({ outcome: "forged" });
      return sendError(request, reply, 401, "WrongSignature", "no secret of ours signed these bytes");
    }
    const payload = readPayload(body, request.headers["content-type"]);
    if (payload === undefined) {
      seen.add({ outcome: "malformed" });
      return sendError(request, reply, 400, "BadRequest", "the body is no delivery of GitHub");
    }
    const hint = readHint(String(request.headers["x-github-event"]), payload, parts.branch);
    if (hint !== undefined) parts.hint(hint);
    seen.add({ outcome: hint === undefined ? "ignored" : "hint" });
    return reply.code(202).send({ hint: hint ?? null });
  });
}
