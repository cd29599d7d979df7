import type { KeyValue } from "#libs/bus";
import type { Clock } from "#libs/runtime";
import { z } from "zod";

/** The planner's status, as this process saw it last. */
export interface StatusView {
  /** The text that the planner published; undefined before the first one. */
  text(): string | undefined;
  /** Real seconds since the planner wrote it. */
  ageSeconds(): number;
}

interface Seen {
  readonly text: string;
  /** Monotonic ms. */
  readonly wroteAt: number;
}

const written = z.object({ kind: z.literal("FleetStatus"), wroteAt: z.number().exactOptional() });

/** Undefined for text that is no status of ours. */
function readStatus(text: string): z.infer<typeof written> | undefined {
  try {
    return written.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: a torn or foreign value. The status before stays and grows old.
    return undefined;
  }
}

/** Fields that change at every reconcile although nothing happened. */
const passing: ReadonlySet<string> = new Set(["at", "wroteAt", "ageSeconds"]);

function printLasting(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value: unknown) => (passing.has(key) ? undefined : value));
}

/** Follows KV `status`, key `fleet`. `onChange` is called when the content changes, not when only its time does. */
export async function followStatus(
  bucket: KeyValue,
  clock: Clock,
  onChange: (text: string) => void,
  signal: AbortSignal,
): Promise<StatusView> {
  let seen: Seen | undefined;
  let lasting = "";
  let isReplaying = true;

  function take(text: string): void {
    const status = readStatus(text);
    if (status === undefined) return;
    // A value that is read back at the start may be hours old, so its writer's clock counts. One that changes while we watch
    // is new.
    const age = isReplaying ? Math.max(0, Date.now() - (status.wroteAt ?? 0)) : 0;
    seen = { text: JSON.stringify(JSON.parse(text)), wroteAt: clock.monotonic() - age };
    const now = printLasting(text);
    if (now === lasting) return;
    lasting = now;
    onChange(seen.text);
  }

  const watcher = {
    onEntry({ value }: { readonly value?: string }) {
      // A deleted key, or a wiped bucket, removes nothing: the last status stays and grows old.
      if (value !== undefined) take(value);
    },
    onReady: () => void (isReplaying = false),
    onReset: () => void (isReplaying = true),
  };
  await bucket.watch("fleet", watcher, signal);
  return {
    text: () => seen?.text,
    ageSeconds: () => (seen === undefined ? Number.POSITIVE_INFINITY : (clock.monotonic() - seen.wroteAt) / 1000),
  };
}
