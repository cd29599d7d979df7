import { type Event, type EventData, type EventName, makeEvent, type NotifyFacts } from "#libs/events";
import type { FleetStatus, RunStatus } from "#libs/plan";
import { renderComing, writeText } from "#libs/wording";

import type { ReceivedEvent } from "./sink.ts";
import type { Occasion } from "../facts/notifications.ts";

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

/** `said`: what its pods said. */
export function failedOf(
  workload: string,
  second = 60,
  code = "ReadinessTimeout",
  cluster = "one",
  said?: string,
): Event {
  const reason = said === undefined ? code : `${code}: ${said}`;
  const data = { run, cluster, workload, revision: "1-29", code, reason, reverted: true };
  return eventOf("workloadFailed", `failed-${cluster}-${workload}`, data, second);
}

export function doneOf(more: Partial<EventData<"runDone">> = {}): Event {
  return eventOf("runDone", `run-${run}-done`, { run, state: "done", migrated: 40, skipped: 0, ...more }, 600);
}

export function placedOf(stop: string, scope: string, more: Partial<EventData<"stopPlaced">> = {}): Event {
  return eventOf("stopPlaced", `stop-${stop}`, { stop, scope, who: "ana", why: "5xx rise", ...more }, 120);
}

export function resumedOf(stop: string, scope: string): Event {
  const data = { stops: [stop], scopes: [scope], who: "ben", why: "looked at it" };
  return eventOf("stopResumed", `resume-${stop}`, data, 240);
}

export function runStatusOf(more: Partial<RunStatus> = {}): RunStatus {
  return {
    id: run,
    subject: "production: 5 to 25",
    author: "ana",
    startedAt: "2026-11-21T13:00:00.000Z",
    workloads: 40,
    migrated: 10,
    idle: 0,
    migrating: 3,
    pending: 27,
    waiting: 0,
    skipped: [],
    skippedTotal: 0,
    clusters: [],
    ...more,
  };
}

export function statusOf(more: Partial<FleetStatus> = {}): FleetStatus {
  const share = { revision: "1-29", requested: 25, namespaces: 10, actual: 12.5 };
  return {
    apiVersion: "meshroll.dev/v1",
    kind: "FleetStatus",
    at: "2026-11-21T13:01:00.000Z",
    main: { head: commit, ageSeconds: 1 },
    state: "InProgress",
    where: [{ bucket: "production", namespaces: 80, shares: [share], mixed: 0 }],
    rollouts: [{ cluster: "one", run, workloads: ["shop/Deployment/web"] }],
    waiting: [],
    next: [renderComing({ code: "FleetBatches", left: 27 })],
    stop: { command: "", effect: writeText("") },
    undo: { command: "", effect: writeText("") },
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
export function receivedOf(event: Event, more: Partial<ReceivedEvent> = {}): ReceivedEvent {
  return { event, isLate: false, isMine: true, isHeld: () => true, ...more };
}

/** Only the built-in rules. */
export function notifyOf(more: Partial<NotifyFacts> = {}): NotifyFacts {
  const fleet = { github: { dashboardIssue: false, deployments: true, labels: [] } };
  return { fleet, campaigns: {}, runs: {}, ...more };
}

/** The run belongs to stage 2 of 3 of a campaign that has a rule of its own. */
export function campaignOf(slack: { readonly channel?: string; readonly broadcast: readonly Occasion[] }): NotifyFacts {
  const notify = { slack, github: { dashboardIssue: false, deployments: true, labels: [] } };
  const stages = ["prod-5", "prod-25", "prod-100"].map((name) => ({ name, notify }));
  return notifyOf({
    campaigns: { "istio-1-29": { stages } },
    runs: { [run]: { campaign: "istio-1-29", stage: "prod-25" } },
  });
}

/** Messages of a campaign's way, in their order. */
export function campaignStory(): readonly Event[] {
  const belongs = { campaign: "istio-1-29", stage: "prod-25" };
  const pull = { campaign: "istio-1-29", stage: "prod-100", pull: 8, url: "https://github.com/acme/rollouts/pull/8" };
  const ends = [{ name: "one", skipped: 2, failed: 1 }];
  const bake = { run, healthyMs: 0, neededMs: 86_400_000, ...belongs };
  return [
    startedOf(belongs),
    eventOf("gateJudged", "g1", { run, gate: "restarts", verdict: "pass", why: "0 of 57, at most 2 %" }, 60),
    eventOf("runWaveClosed", "w1", { run, clusters: ["one"] }, 70),
    eventOf("runBake", "b1", { ...bake, step: "began" }, 80),
    eventOf("runBake", "b2", { ...bake, step: "progress", healthyMs: 8_640_000 }, 90),
    eventOf("runBake", "b3", { ...bake, step: "paused", healthyMs: 8_640_000, why: "one is not seen" }, 100),
    eventOf("runBake", "b4", { ...bake, step: "over", healthyMs: 86_400_000 }, 110),
    eventOf("gateJudged", "g2", { run, gate: "error-rate", verdict: "fail", why: "3 % of at most 2 %" }, 120),
    doneOf({ ...belongs, startedAt: "2026-11-21T13:00:00.000Z", skipped: 2, clusters: ends, differences: [] }),
    eventOf("stageProposed", "p1", { ...pull, workloads: 300, approvals: 1, from: ["team:mesh"], after: run }, 610),
    eventOf("campaignCompleted", "c1", { campaign: "istio-1-29", target: "1-29", runs: [run], skipped: 2 }, 700),
  ];
}
