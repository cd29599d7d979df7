import { createHmac, randomUUID } from "node:crypto";

import type { WebhookTarget } from "../state/options.ts";

/** One delivery; status 0 = no answer. */
export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  status: number;
}

export interface Webhooks {
  /** Signs and sends an event without waiting. Never fails, and never repeats a delivery, as GitHub does not either. */
  send(event: string, payload: Readonly<Record<string, unknown>>): void;
  /** Resolves when no delivery is in flight. */
  settle(): Promise<void>;
  readonly deliveries: readonly Delivery[];
}

const maxRemembered = 10_000;
const timeoutMs = 10_000;

function sign(body: string, target: WebhookTarget): string {
  return `sha256=${createHmac("sha256", target.secret).update(body).digest("hex")}`;
}

async function deliver(target: WebhookTarget, delivery: Delivery, body: string): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/sandbox",
    "x-github-event": delivery.event,
    "x-github-delivery": delivery.id,
    "x-hub-signature-256": sign(body, target),
  };
  try {
    const answer = await fetch(target.url, { method: "POST", body, headers, signal: AbortSignal.timeout(timeoutMs) });
    delivery.status = answer.status;
    await answer.body?.cancel();
  } catch {
    // A receiver may be down: status 0 stays in the list of deliveries.
    delivery.status = 0;
  }
}

export function createWebhooks(targets: readonly WebhookTarget[]): Webhooks {
  const deliveries: Delivery[] = [];
  const pending = new Set<Promise<void>>();

  function sendTo(target: WebhookTarget, event: string, body: string): void {
    const delivery: Delivery = { id: randomUUID(), event, url: target.url, status: 0 };
    deliveries.push(delivery);
    if (deliveries.length > maxRemembered) deliveries.shift();
    const sent = deliver(target, delivery, body).finally(() => pending.delete(sent));
    pending.add(sent);
  }

  return {
    deliveries,
    send(event, payload) {
      const body = JSON.stringify(payload);
      for (const target of targets) sendTo(target, event, body);
    },
    async settle() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
