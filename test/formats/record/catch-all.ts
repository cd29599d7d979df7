import type { Bus } from "#libs/bus";
import type { BatchQueue } from "#libs/queue";
import { setTimeout as sleep } from "node:timers/promises";

import type { Caught } from "../fixture.ts";

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function nameField(text: string, name: string): string {
  const value = parse(text)[name];
  return typeof value === "string" ? value : "?";
}

/** What kind of record stands under a key of a bucket; a verb, an answer and a namespace each have keys of their own. */
function nameKind(bucket: string, key: string, text: string): string {
  if (key.startsWith("request.")) return `ask ${nameField(text, "verb")}`;
  if (key.startsWith("answer.")) return `answer ${nameField(text, "outcome")}`;
  if (key.startsWith("broken.")) return "status broken batches";
  if (bucket === "inventory") return key.endsWith("._") ? "cluster facts" : "namespace inventory";
  return `${bucket} ${key}`;
}

/**
 * What real processes write, one of each kind: the longest, which has most of the fields. The jobs are looked for often, for
 * one that is done is gone.
 */
export class Catcher {
  readonly records = new Map<string, Caught>();

  keep(kind: string, caught: Caught): void {
    const known = this.records.get(kind);
    if (known === undefined || known.text.length < caught.text.length) this.records.set(kind, caught);
  }

  async follow(bus: Bus, queue: BatchQueue<unknown>, clusters: readonly string[], signal: AbortSignal): Promise<void> {
    for (const bucket of ["control", "status", "inventory"] as const) {
      const onEntry = ({ key, value }: { readonly key: string; readonly value?: string }): void => {
        if (value !== undefined) this.#keepEntry(bucket, key, value);
      };
      await bus.bucket(bucket).watch(">", { onEntry, onReady: () => undefined, onReset: () => undefined }, signal);
    }
    const onMessage = (key: string, text: string): void => this.keep(`event ${nameField(text, "type")}`, { key, text });
    await bus.listen("meshroll.v1.>", onMessage, signal);
    void this.#followJobs(queue, clusters, signal);
  }

  #keepEntry(bucket: string, key: string, text: string): void {
    // What the notifier has told is its own: no version, and losing it tells once more.
    if (!key.startsWith("told.")) this.keep(nameKind(bucket, key, text), { key, text });
    if (bucket !== "inventory" || !key.endsWith("._")) return;
    const { recorded = {} } = (parse(text)["stops"] ?? {}) as { readonly recorded?: Readonly<Record<string, string>> };
    for (const [id, entry] of Object.entries(recorded)) this.keep("recorded stop", { key: id, text: entry });
  }

  async #followJobs(queue: BatchQueue<unknown>, clusters: readonly string[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const key of clusters) {
        const found = await queue.inspect(key).catch(() => undefined);
        if (found !== undefined) this.keep("batch", { key, text: JSON.stringify(found.job) });
      }
      await sleep(100, undefined, { signal }).catch(() => undefined);
    }
  }
}
