import {
  completeName,
  findNamed,
  type NamedWorkload,
  type NamesByKind,
  namesOneOf,
  namesWorkload,
  readNamespaceName,
} from "#libs/input";
import type { NewComment } from "#libs/scm";
import {
  chooseResumed,
  isPlacedByMeshroll,
  isUnderRollback,
  type VerbRequest,
  type FleetStatus,
  type LedgerState,
  type StopRecord,
  type StopScope,
  type Snapshot,
} from "#libs/plan";
import { listChoices, nameResumeVerb, printText } from "#libs/wording";

import type { Command } from "./command.ts";
import type { Subject } from "./subject.ts";

/** The request of a comment's command, or why there is none. */
export type MadeRequest =
  | { readonly kind: "request"; readonly request: VerbRequest }
  | { readonly kind: "refused"; readonly why: string };

type Change = Extract<
  Command,
  { readonly verb: "pause" | "hold" | "resume" | "unhold" | "rollback" | "retry" | "converge" }
>;

type WithReason = Extract<Change, { readonly verb: "pause" | "hold" | "rollback" }>;
type Converge = Extract<Change, { readonly verb: "converge" }>;
type RequestBase = Pick<VerbRequest, "id" | "who" | "verified" | "at">;

/** The request's id. The ledger keeps it, so that a comment is obeyed once (rules 7.5). */
export function nameRequest(comment: number): string {
  return `comment-${comment}`;
}

const noCampaign =
  "this pull request belongs to no campaign: name what you mean, `campaign/NAME` or `run/ID`, before the reason";

/** The scope of a stop whose comment names none: on the dashboard `all`, else the pull request's campaign, else its run. */
function findStopScope(subject: Subject): StopScope | undefined {
  if (subject.kind === "fleet") return "all";
  if (subject.campaign !== undefined) return `campaign/${subject.campaign}`;
  return subject.run === undefined ? undefined : `run/${subject.run.id}`;
}

/** The run of a rollback or a retry. */
function findRunScope({ scope }: Change, subject: Subject): StopScope | undefined {
  if (scope !== undefined) return findNamed("run", scope) === undefined ? undefined : scope;
  return subject.kind === "pull" && subject.run !== undefined ? `run/${subject.run.id}` : undefined;
}

const notMerged =
  "this pull request was not merged yet, so nothing of it moved: comment on the one that was, or name it, `run/ID`";

function listStopsInForce(ledger: LedgerState | undefined): readonly StopRecord[] {
  return Object.values(ledger?.stops ?? {}).filter(({ resume }) => resume === undefined);
}

/** On a campaign's pull request a resume also means the campaign's open runs and the buckets of its stages. */
function listMeant(snapshot: Snapshot, scope: StopScope): NamesByKind {
  const name = findNamed("campaign", scope);
  if (name === undefined) return {};
  const runs = Object.values(snapshot.ledger?.runs ?? {}).filter(
    (run) => run.campaign === name && run.state === "open",
  );
  const stages = snapshot.specs.get(snapshot.main.head)?.campaigns.get(name)?.stages ?? [];
  return { run: runs.map(({ id }) => id), bucket: stages.flatMap(({ set }) => Object.keys(set)) };
}

/** A stop on a bucket is meant only if a rollback left it: a person's own stop there was placed for more than this campaign. */
function isMeant(stop: StopRecord, meant: NamesByKind, named: StopScope): boolean {
  if (stop.scope === named) return true;
  if (!namesOneOf(stop.scope, meant)) return false;
  return findNamed("bucket", stop.scope) === undefined || stop.rollbackOf !== undefined;
}

function describeStops(stops: readonly StopRecord[]): string {
  if (stops.length === 0) return "no stop is active";
  const named = stops.slice(0, 5).map(({ scope, who, strength }) => `${scope} (${strength}, by ${who})`);
  return `active stops: ${named.join(", ")}${stops.length > 5 ? `, and ${stops.length - 5} more` : ""}`;
}

/** For a stop that meshroll itself placed: a resume that names no scope does not end it. */
function explainOwnStop(stop: StopRecord, stops: readonly StopRecord[]): string {
  const { scope, why, cause } = stop;
  const choices = listChoices({ scope, cause, isRollingBack: isUnderRollback(stop, stops) }).map(
    (each) => `\`${each.command}\` ${printText(each.effect)}`,
  );
  const named = `Name it to end it: \`/meshroll resume ${scope} REASON\`.`;
  return [`meshroll placed the stop on ${scope}: ${why}.`, named, choices.join("; ")].join(" ").trimEnd();
}

function resume(
  command: Extract<Change, { readonly verb: "resume" | "unhold" }>,
  subject: Subject,
  snapshot: Snapshot,
  base: RequestBase,
): MadeRequest {
  const scope = command.scope ?? findStopScope(subject);
  if (scope === undefined) return { kind: "refused", why: noCampaign };
  const inForce = listStopsInForce(snapshot.ledger);
  const names = listMeant(snapshot, scope);
  const meant = inForce.filter((stop) => isMeant(stop, names, scope) && nameResumeVerb(stop) === command.verb);
  if (meant.length === 0) {
    const word = command.verb === "resume" ? "no pause" : "no hold";
    return { kind: "refused", why: `nothing to ${command.verb}: ${word} on ${scope}; ${describeStops(inForce)}` };
  }
  const chosen = command.verb === "resume" ? chooseResumed(meant, base.who) : meant;
  const [own] = chosen;
  if (own !== undefined && isPlacedByMeshroll(own) && command.scope === undefined) {
    return { kind: "refused", why: explainOwnStop(own, inForce) };
  }
  const stops = chosen.map(({ id }) => id);
  const strength = command.verb === "resume" ? "move" : "propose";
  return { kind: "request", request: { ...base, verb: "resume", scope, strength, why: command.why, stops } };
}

/** Finds skipped workloads of a run by any name; a complete one is also taken if nothing is found. */
function findWorkloads(typed: string, run: string, status: FleetStatus | undefined): readonly string[] {
  const skipped = status?.runs.find(({ id }) => id === run)?.skipped ?? [];
  const found = skipped.filter(({ cluster, workload }) => {
    const [namespace = "", kind = "", name = ""] = workload.split("/");
    return namesWorkload(typed, { cluster, namespace, kind, name });
  });
  if (found.length > 0) return found.map(({ cluster, workload }) => `${cluster}:${workload}`);
  const full = completeName(typed);
  return full === undefined ? [] : [full];
}

function retry(
  command: Extract<Change, { readonly verb: "retry" }>,
  subject: Subject,
  status: FleetStatus | undefined,
  base: RequestBase,
): MadeRequest {
  const scope = findRunScope(command, subject);
  if (scope === undefined) return { kind: "refused", why: notMerged };
  const request: VerbRequest = { ...base, verb: "retry", scope, strength: "move", why: "asked by a comment" };
  if (command.workload === undefined) return { kind: "request", request };
  const workloads = findWorkloads(command.workload, findNamed("run", scope) ?? "", status);
  if (workloads.length === 1) return { kind: "request", request: { ...request, workloads } };
  const why =
    workloads.length === 0
      ? `no skipped workload of ${scope} is called ${command.workload}`
      : `${command.workload} may be any of ${workloads.slice(0, 5).join(", ")}: say which`;
  return { kind: "refused", why };
}

function stop(command: WithReason, subject: Subject, base: RequestBase): MadeRequest {
  const scope = command.scope ?? findStopScope(subject);
  if (scope === undefined) return { kind: "refused", why: noCampaign };
  const strength = command.verb === "pause" ? "move" : "propose";
  return { kind: "request", request: { ...base, verb: "stop", scope, strength, why: command.why } };
}

/** The workloads of the fleet that a name means; `cluster:namespace` means all of that namespace there. */
function findInFleet(typed: string, { clusters }: Snapshot): readonly NamedWorkload[] {
  const place = readNamespaceName(typed);
  return [...clusters].flatMap(([cluster, { namespaces }]) =>
    [...namespaces.values()].flatMap(({ workloads }) =>
      workloads
        .map(({ namespace, kind, name }) => ({ cluster, namespace, kind, name }))
        .filter((each) => {
          const isInPlace = place?.cluster === cluster && place.namespace === each.namespace;
          return isInPlace || namesWorkload(typed, each);
        }),
    ),
  );
}

function convergeWorkload(typed: string, { why }: Converge, snapshot: Snapshot, base: RequestBase): MadeRequest {
  const found = findInFleet(typed, snapshot);
  const [first] = found;
  const names = found.map(({ cluster, namespace, kind, name }) => `${cluster}:${namespace}/${kind}/${name}`);
  if (first === undefined) return { kind: "refused", why: `there is no workload ${typed}` };
  if (found.some(({ namespace }) => namespace !== first.namespace)) {
    return { kind: "refused", why: `${typed} may be any of ${names.slice(0, 5).join(", ")}: say which` };
  }
  const scope = `namespace/${first.namespace}` as const;
  return { kind: "request", request: { ...base, verb: "converge", scope, strength: "move", why, workloads: names } };
}

/** Scope: what the comment names, else the campaign; on the dashboard `all`. */
function converge(command: Converge, subject: Subject, snapshot: Snapshot, base: RequestBase): MadeRequest {
  if (command.workload !== undefined) return convergeWorkload(command.workload, command, snapshot, base);
  const scope = command.scope ?? findStopScope(subject);
  if (scope === undefined) return { kind: "refused", why: noCampaign };
  return { kind: "request", request: { ...base, verb: "converge", scope, strength: "move", why: command.why } };
}

function rollBack(command: WithReason, subject: Subject, base: RequestBase): MadeRequest {
  const scope = findRunScope(command, subject);
  if (scope === undefined) return { kind: "refused", why: notMerged };
  return { kind: "request", request: { ...base, verb: "rollback", scope, strength: "move", why: command.why } };
}

/** The request of a command. Pure: reading a comment twice makes the same request, which is carried out once. */
export function makeRequest(
  command: Change,
  comment: Pick<NewComment, "id" | "author" | "at">,
  subject: Subject,
  snapshot: Snapshot,
  status: FleetStatus | undefined,
): MadeRequest {
  const at = new Date(comment.at).toISOString();
  const base = { id: nameRequest(comment.id), who: comment.author, verified: true, at } as const;
  switch (command.verb) {
    case "pause":
    case "hold":
      return stop(command, subject, base);
    case "resume":
    case "unhold":
      return resume(command, subject, snapshot, base);
    case "rollback":
      return rollBack(command, subject, base);
    case "converge":
      return converge(command, subject, snapshot, base);
    case "retry":
      return retry(command, subject, status, base);
  }
}
