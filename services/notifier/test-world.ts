import { type Event, type EventData, type EventName, makeEvent } from "#libs/events";
import type { FleetStatus, RunStatus } from "#libs/plan";

import type { Told } from "./desk.ts";

/** The run of these tests. */
export const run = "abcdefabcdef";
export const commit = `${run}0000000000000000000000000000`;
export const startAt = Date.parse("2026-11-21T13:00:00.000Z");

/** A message of the catalogue, so many seconds after the start. */
export function eventOf<K extends EventName>(name: K, id: string, data: EventData<K>, second = 0): Event {
  return makeEvent(name, id, startAt + second * 1000, data);
}

export function startedOf(more: Partial<EventData<"runStarted">> = {}): Event {
  const data = { run, commit, subject: "production: 5 to 25", author: "ana", workloads: 40, ...more };
  return eventOf("runStarted", `run-${run}-started`, data);
}

export function failedOf(workload: string, second = 60, reason = "ReadinessTimeout", cluster = "one"): Event {
  const data = { run, cluster, workload, revision: "1-29", reason, reverted: true };
  return eventOf("workloadFailed", `failed-${cluster}-${workload}`, data, second);
}

export function doneOf(more: Partial<EventData<"runDone">> = {}): Event {
  return eventOf("runDone", `run-${run}-done`, { run, state: "done", arrived: 40, aside: 0, ...more }, 600);
}

export function placedOf(stop: string, scope: string, more: Partial<EventData<"stopPlaced">> = {}): Event {
  return eventOf("stopPlaced", `stop-${stop}`, { stop, scope, who: "ana", why: "5xx rise", ...more }, 120);
}

export function liftedOf(stop: string, scope: string): Event {
  const data = { stops: [stop], scopes: [scope], who: "ben", why: "looked at it" };
  return eventOf("stopLifted", `lift-${stop}`, data, 240);
}

export function runStatusOf(more: Partial<RunStatus> = {}): RunStatus {
  return {
    id: run,
    subject: "production: 5 to 25",
    author: "ana",
    startedAt: "2026-11-21T13:00:00.000Z",
    workloads: 40,
    arrived: 10,
    moving: 3,
    due: 27,
    waiting: 0,
    aside: [],
    asideTotal: 0,
    clusters: [],
    ...more,
  };
}

export function statusOf(more: Partial<FleetStatus> = {}): FleetStatus {
  const share = { revision: "1-29", asked: 25, namespaces: 10, actual: 12.5 };
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "FleetStatus",
    at: "2026-11-21T13:01:00.000Z",
    main: { head: commit, ageSeconds: 1 },
    state: "InProgress",
    where: [{ bucket: "production", namespaces: 80, shares: [share], mixed: 0 }],
    doing: [{ cluster: "one", run, workloads: ["shop/Deployment/web"] }],
    waitingFor: [],
    otherwise: "27 workloads go on in batches until the file says what runs",
    stop: { command: "", effect: "" },
    undo: { command: "", effect: "" },
    runs: [runStatusOf()],
    clusters: [],
    stops: [],
    ...more,
  };
}

/** A pause in force. */
export function stopOf(id: string, scope: string): FleetStatus["stops"][number] {
  const placed = { strength: "move", cause: "verb", who: "ana", why: "5xx", from: "ledger", overdue: false } as const;
  return { id, scope, ...placed, command: `meshroll resume ${scope}` };
}

/** The message in the hands of the one notifier that there is. */
export function toldOf(event: Event, more: Partial<Told> = {}): Told {
  return { event, isLate: false, isMine: true, isHeld: () => true, ...more };
}
