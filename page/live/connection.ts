import type { FleetStatus } from "#libs/plan";
import { computed, signal } from "@preact/signals";

import { type Freshness, judgeFreshness } from "../model/freshness.ts";
import { applyPatch, type Operation } from "../model/apply-patch.ts";
import { noteStatus, now } from "./fleet-clock.ts";
import { historyStamp } from "./history.ts";
import { readNamespaces } from "./namespaces.ts";
import { past, picture } from "./past.ts";
import { noteRuns } from "./run-report.ts";

/** The planner's newest status; undefined before the first. */
const present = signal<FleetStatus | undefined>(undefined);

/** The status that is shown: the newest, or that of an earlier time. */
export const status = computed(() => (past.value.kind === "now" ? present.value : picture.value?.status));

interface Pulse {
  readonly bus: boolean;
  readonly ageSeconds?: number;
  readonly namespaces?: string;
  readonly history?: string;
  readonly runs?: string;
}

const pulse = signal<(Pulse & { readonly heardAt: number }) | undefined>(undefined);

/** Whether the page shows the present. */
export const freshness = computed<Freshness>(() => {
  const heard = pulse.value;
  const silentMs = heard === undefined ? undefined : now.value - heard.heardAt;
  return judgeFreshness({
    silentMs,
    statusAgeSeconds: heard?.ageSeconds,
    isBusUp: heard?.bus ?? false,
    hasStatus: present.value !== undefined,
  });
});

function show(value: FleetStatus): void {
  noteStatus(value.at, value.wroteAt);
  present.value = value;
}

/** False where the patch does not fit the known status. */
function showPatched(event: MessageEvent<string>): boolean {
  if (present.value === undefined) return false;
  try {
    show(applyPatch(present.value, JSON.parse(event.data) as readonly Operation[]));
    return true;
  } catch {
    return false;
  }
}

/** Follows the api's events for ever; the browser reconnects by itself. */
export function connect(): void {
  const source = new EventSource("/v1/events?with=pulse&with=patches&without=messages");
  source.addEventListener("status", (event: MessageEvent<string>) => show(JSON.parse(event.data) as FleetStatus));
  source.addEventListener("status-patch", (event: MessageEvent<string>) => {
    if (showPatched(event)) return;
    // A new connection brings the whole status.
    source.close();
    setTimeout(connect, 2000);
  });
  source.addEventListener("pulse", (event: MessageEvent<string>) => {
    const heard = JSON.parse(event.data) as Pulse;
    pulse.value = { ...heard, heardAt: performance.now() };
    if (heard.history !== undefined) historyStamp.value = heard.history;
    if (heard.namespaces !== undefined) void readNamespaces(heard.namespaces);
    noteRuns(heard.runs ?? "");
  });
  // The browser does not retry a refused connection, as while the api starts.
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return;
    source.close();
    setTimeout(connect, 2000);
  });
}
