import { createHmac } from "node:crypto";

import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createRandom } from "#fakes/kube";
import { createVirtualClock } from "#fakes/runtime";
import { createLogger, createVitals } from "#libs/runtime";

import { createApi } from "../../services/api/service.ts";
import { drawText, pick, type Random } from "./hostile.ts";
import { mutateMessage, mutateText } from "./mutate.ts";
import type { Round } from "./play-round.ts";

const secret = "Q7hW2mZk9TxR4vLb8NcY";
const push = JSON.stringify({
  ref: "refs/heads/main",
  repository: { full_name: "acme/rollouts" },
  pull_request: { number: 7 },
});
const events = ["push", "pull_request", "issue_comment", "check_run", "constructor", "__proto__"];
/** The status codes of docs/reference/http-api.md. */
const documented = [202, 400, 401, 413, 415, 503];

interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function drawDelivery(random: Random): Delivery {
  const isForm = random() < 0.3;
  const json = mutateMessage(random, push);
  const body = isForm ? mutateText(random, new URLSearchParams({ payload: json }).toString()) : json;
  const signed = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const headers = {
    "content-type": random() < 0.9 ? type : toHeader(drawText(random)),
    "x-github-event": random() < 0.9 ? pick(random, events) : toHeader(drawText(random)),
    "x-hub-signature-256": random() < 0.8 ? signed : toHeader(mutateText(random, signed)),
    "x-request-id": toHeader(drawText(random)),
  };
  return { body, headers };
}

/** Replaces characters that a client refuses to send in a header. */
function toHeader(text: string): string {
  return text.replaceAll(/[^\u0020-\u007E]/g, "?").slice(0, 4000);
}

/** Sends deliveries to the api's real HTTP server, one after the other. */
export async function playWebhooks(seed: string): Promise<Round> {
  const random = createRandom(seed);
  const clock = createVirtualClock();
  const stop = new AbortController();
  const vitals = createVitals(clock);
  const log = createLogger("api", [], "silent");
  const options = {
    bus: openFakeBus(createFakeBusServer()),
    clock,
    log,
    vitals,
    branch: "main",
    webhookSecrets: [secret],
  };
  const api = await createApi(options, stop.signal);
  const url = await api.server.listen({ host: "127.0.0.1", port: 0 });
  const [story, faults]: [string[], string[]] = [[], []];
  for (let count = 0; count < 20; count += 1) {
    const { body, headers } = drawDelivery(random);
    story.push(`${JSON.stringify(headers).slice(0, 300)} ${body.slice(0, 200)}`);
    const answer = await fetch(`${url}/webhooks/github`, { method: "POST", body, headers });
    const text = await answer.text();
    if (!documented.includes(answer.status)) faults.push(`answered ${answer.status}: ${text.slice(0, 200)}`);
  }
  const health = await fetch(`${url}/healthz`);
  if (health.status !== 200) faults.push(`/healthz says ${health.status}`);
  stop.abort();
  await api.server.close();
  return { faults, story };
}
