import type { AuditedRequest, Evidence } from "./evidence.ts";
import { keepKnown } from "./keep-known.ts";

/** The bucket `control`, as its readers see it. */
export interface WatchedBucket {
  watch(
    pattern: string,
    watcher: {
      onEntry(entry: { readonly key: string; readonly value?: string }): void;
      onReady(): void;
      onReset(): void;
    },
    signal: AbortSignal,
  ): Promise<void>;
}

/** Verbs on the bus from now on; `take` answers what was seen so far. */
export interface RequestRecorder {
  take(): Required<Pick<Evidence, "requests">>;
  stop(): void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Undefined for what is no verb. */
function readFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function readRequest(text: string, at: number): AuditedRequest | undefined {
  const fields = readFields(text);
  const [id, verb, scope, who] = ["id", "verb", "scope", "who"].map((name) => fields?.[name]);
  if (typeof id !== "string" || typeof verb !== "string" || typeof scope !== "string") return undefined;
  const now = fields?.["now"] === true ? true : undefined;
  return keepKnown({ id, verb, scope, who: typeof who === "string" ? who : "", now, at });
}

/** Starts to record the verbs that people place on the bus, by a clock of the clusters' time. */
export async function recordRequests(control: WatchedBucket, now: () => number): Promise<RequestRecorder> {
  const seen: AuditedRequest[] = [];
  const stop = new AbortController();
  let isWhole = true;
  let wasReady = false;
  const watcher = {
    onEntry: ({ value }: { readonly value?: string }) => {
      const request = value === undefined ? undefined : readRequest(value, now());
      if (request !== undefined) seen.push(request);
    },
    onReady: () => void (wasReady = true),
    onReset: () => void (isWhole &&= !wasReady),
  };
  await control.watch("request.>", watcher, stop.signal);
  return { take: () => ({ requests: { seen: [...seen], isWhole } }), stop: () => stop.abort() };
}
