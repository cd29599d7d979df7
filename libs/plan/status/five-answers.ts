import { findNamed, findRunNamed, findShareCluster } from "#libs/input";
import {
  type BlockedScopes,
  lineBatch,
  lineBucket,
  lineChoice,
  lineComing,
  lineCommand,
  lineMore,
  lineRolling,
  lineVmGroup,
  lineWait,
  idleLine,
  nothingLine,
  printPlainLine,
  renderPause,
  renderUndo,
  type TextLine,
  unknownWhereLine,
} from "#libs/wording";

import type { CampaignStatus, WaitStatus } from "./campaign-status.ts";
import type { BucketStatus, FleetStatus } from "./status.ts";

/**
 * The five answers as sentences, none empty. All surfaces show these; they may only escape them, break lines, and print times
 * in the reader's zone.
 */
export interface ToldAnswers {
  readonly where: readonly TextLine[];
  readonly rollouts: readonly TextLine[];
  readonly waiting: readonly TextLine[];
  readonly next: readonly TextLine[];
  readonly stop: TextLine;
  readonly undo: TextLine;
}

/** Entries of one answer before "and N more". */
const shown = 6;

/** The first lines, and the number of the others. */
function cut(lines: readonly TextLine[]): readonly TextLine[] {
  return lines.length <= shown ? lines : [...lines.slice(0, shown), lineMore(lines.length - shown)];
}

function orNothing(lines: readonly TextLine[], none = nothingLine): readonly TextLine[] {
  return lines.length === 0 ? [none] : cut(lines);
}

/** Scopes as a reader counts them: clusters or runs, where all of them name one. */
function countBlocked(scopes: readonly string[]): BlockedScopes {
  const clusters = scopes.flatMap((scope) => findShareCluster(scope) ?? findNamed("cluster", scope) ?? []);
  if (clusters.length === scopes.length) return { count: new Set(clusters).size, what: "clusters" };
  const runs = scopes.flatMap((scope) => findRunNamed(scope) ?? []);
  if (runs.length === scopes.length) return { count: new Set(runs).size, what: "runs" };
  return { count: scopes.length, what: "scopes" };
}

/** A wait of several scopes is shown once, with how many it blocks. */
export function tellWaits(waits: readonly WaitStatus[]): readonly TextLine[] {
  const groups = new Map<string, { readonly reason: WaitStatus; readonly scopes: Set<string> }>();
  for (const wait of waits) {
    const key = JSON.stringify([wait.message, wait.until, wait.command]);
    const group = groups.get(key) ?? { reason: wait, scopes: new Set<string>() };
    groups.set(key, group);
    group.scopes.add(wait.scope);
  }
  const lines = [...groups.values()].map(({ reason, scopes }) => [
    lineWait(reason, countBlocked([...scopes])),
    ...(reason.choices ?? []).map(lineChoice),
  ]);
  if (lines.length === 0) return [nothingLine];
  const more = lines.length - shown;
  return [...lines.slice(0, shown).flat(), ...(more > 0 ? [lineMore(more)] : [])];
}

/** Each group of VMs in a cluster: its move may last for weeks, VM by VM. */
function listVms({ cluster, vms = [] }: FleetStatus["rollouts"][number]): readonly TextLine[] {
  return vms.map((group) => lineVmGroup(cluster, group));
}

function tellCampaign(status: CampaignStatus): ToldAnswers {
  return {
    where: cut(
      status.where.map(({ bucket, requested, actual, onTarget, total }) =>
        lineBucket({ bucket, namespaces: total, shares: [{ requested, actual, namespaces: onTarget }] }),
      ),
    ),
    rollouts: orNothing(
      status.rollouts.flatMap((each) => [lineBatch(each), ...listVms(each)]),
      idleLine,
    ),
    waiting: tellWaits(status.waiting),
    next: orNothing(status.next.map(lineComing)),
    stop: lineCommand(status.stop),
    undo: lineCommand(status.undo),
  };
}

function tellFleet(status: FleetStatus): ToldAnswers {
  return {
    where: status.where.length === 0 ? [unknownWhereLine] : cut(status.where.map(lineBucket)),
    rollouts: orNothing(
      status.rollouts.flatMap((each) => [lineRolling(each), ...listVms(each)]),
      idleLine,
    ),
    waiting: tellWaits(status.waiting),
    next: orNothing(status.next.map(lineComing)),
    stop: lineCommand(status.stop),
    undo: lineCommand(status.undo),
  };
}

/** The five answers of a campaign, of the fleet, or of one run (`narrowToRun`). */
export function tellAnswers(status: CampaignStatus | FleetStatus): ToldAnswers {
  return status.kind === "CampaignStatus" ? tellCampaign(status) : tellFleet(status);
}

interface PlainLine {
  readonly text: string;
  readonly command?: string;
}

/** The answers as in JSON: times in ISO, no ages. */
export interface PlainAnswers {
  readonly where: readonly string[];
  readonly rollouts: readonly string[];
  readonly waiting: readonly PlainLine[];
  readonly next: readonly PlainLine[];
  readonly stop: PlainLine;
  readonly undo: PlainLine;
}

function printPlain(line: TextLine): PlainLine {
  return { text: printPlainLine(line), ...(line.command === undefined ? {} : { command: line.command }) };
}

/** For programs: the terminal's text, one string for each sentence. */
export function printPlainAnswers({ where, rollouts, waiting, next, stop, undo }: ToldAnswers): PlainAnswers {
  return {
    where: where.map(printPlainLine),
    rollouts: rollouts.map(printPlainLine),
    waiting: waiting.map(printPlain),
    next: next.map(printPlain),
    stop: printPlain(stop),
    undo: printPlain(undo),
  };
}

/** Buckets whose shares differ from the requested ones come first. */
function orderBuckets(where: readonly BucketStatus[]): readonly BucketStatus[] {
  const distance = ({ shares, mixed }: BucketStatus) =>
    mixed + shares.reduce((sum, { requested, actual }) => sum + Math.abs(requested - actual), 0);
  return where.toSorted((a, b) => distance(b) - distance(a));
}

/**
 * The part of a status about one run: its campaign's status where it has one, else the fleet's. `moved`: the workloads that an
 * undo would move, as far as known.
 */
export function narrowToRun(status: FleetStatus, run: string, moved?: number): CampaignStatus | FleetStatus {
  const campaign = status.campaigns?.find((each) => each.runs.includes(run));
  if (campaign !== undefined) return campaign;
  const mine = status.runs.find(({ id }) => id === run);
  const count = moved ?? (mine === undefined ? undefined : mine.migrated + mine.migrating);
  return {
    ...status,
    where: orderBuckets(status.where),
    rollouts: status.rollouts.filter((each) => each.run === run),
    waiting: status.waiting.filter(({ scope }) => scope === "all" || findRunNamed(scope) === run),
    stop: renderPause({ code: "Run", run }),
    undo: status.undo.run === run ? status.undo : renderUndo({ code: "RollsBack", run, extent: { moved: count } }),
  };
}
