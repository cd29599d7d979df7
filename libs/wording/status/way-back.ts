import type { CasesOf } from "../cases.ts";
import { type Text, writeText } from "../text.ts";
import type { TextLine } from "../text-line.ts";
import { nameRuns } from "../transitions/run-end.ts";

interface Worded {
  readonly effect: string;
  readonly run?: string;
  /** There is something to roll back. */
  readonly hasWay?: true;
}

/** A command and its effect. */
export interface CommandStatus {
  readonly command?: string;
  readonly effect: Text;
}

/** How to roll back; `run` is the run that it concerns. Without a command there is nothing to roll back. */
export interface UndoStatus extends CommandStatus {
  readonly run?: string;
}

/** How many workloads a rollback moves, as far as known, and how. */
interface Extent {
  readonly moved: number | undefined;
  /** By the campaign's settings: workloads at a time in each cluster. */
  readonly batchSize?: number;
}

function printMoved({ moved, batchSize }: Extent): string {
  if (batchSize !== undefined)
    return `up to ${moved} workloads, ${batchSize} at a time in each cluster, ignoring windows and freezes`;
  return moved === undefined
    ? "the workloads that it moved are rolled back"
    : `up to ${moved} workloads are rolled back`;
}

const undoings = {
  NoRun: () => ({ effect: "nothing to undo: no run is recorded yet" }),
  /** `of`: the runs that it took back; empty where only a part of one. */
  IsRollback: ({ run, of }: { readonly run: string; readonly of: readonly string[] }) => ({
    run,
    effect:
      `nothing to undo: the last change, run ${run}, is ${of.length === 0 ? "a rollback" : `the rollback of ${nameRuns(of)}`}; ` +
      "to go forward again, end its hold, or change rollouts.yml",
  }),
  /** It is being rolled back. */
  AtWork: ({ run, of }: { readonly run: string; readonly of: readonly string[] }) => ({
    run,
    effect: `nothing to do: ${nameRuns(of.length === 0 ? [run] : of)} ${of.length > 1 ? "are" : "is"} being rolled back`,
  }),
  /** By a pull request. */
  TakesBack: (undo: { readonly run: string; readonly buckets: readonly string[]; readonly extent?: Extent }) => {
    const how = undo.extent === undefined ? "" : `: ${printMoved(undo.extent)}`;
    return {
      run: undo.run,
      hasWay: true as const,
      effect: `opens a pull request that sets ${undo.buckets.join(", ")} back to before run ${undo.run}${how}; with --now at once`,
    };
  },
  /** At once, of one run. */
  RollsBack: (undo: { readonly run: string; readonly extent: Extent }) => ({
    run: undo.run,
    hasWay: true as const,
    effect: `${printMoved(undo.extent)}, in batches; a hold stays`,
  }),
};

export type Undoing = CasesOf<typeof undoings>;

export function renderUndo(undoing: Undoing): UndoStatus {
  const word = undoings[undoing.code] as (undoing: Undoing) => Worded;
  const { run, effect, hasWay } = word(undoing);
  const command = hasWay === true ? { command: `meshroll rollback run/${run} --reason "…"` } : {};
  return { ...(run === undefined ? {} : { run }), ...command, effect: writeText(effect) };
}

const pauses = {
  Fleet: () => ({
    scope: "all",
    effect:
      "no new batches, in-flight rollouts continue; if meshroll is down: kubectl -n meshroll-system create configmap meshroll-stop",
  }),
  Cluster: ({ cluster }: { readonly cluster: string }) => ({
    scope: `cluster/${cluster}`,
    effect: "no new batches in this cluster; in-flight rollouts continue",
  }),
  Run: ({ run }: { readonly run: string }) => ({
    scope: `run/${run}`,
    effect: "no new batches; in-flight rollouts continue",
  }),
  Campaign: ({ campaign, migrating }: { readonly campaign: string; readonly migrating: number }) => {
    const continues = migrating === 1 ? "1 in-flight rollout continues" : `${migrating} in-flight rollouts continue`;
    const rest = migrating === 0 ? "" : `; ${continues}`;
    return { scope: campaign, effect: `no new batches and no new pull requests of ${campaign}${rest}` };
  },
};

export type Pausing = CasesOf<typeof pauses>;

export function renderPause(pausing: Pausing): CommandStatus {
  const word = pauses[pausing.code] as (pausing: Pausing) => { readonly scope: string; readonly effect: string };
  const { scope, effect } = word(pausing);
  return { command: `meshroll pause ${scope} --reason "…"`, effect: writeText(effect) };
}

export function lineCommand({ command, effect }: CommandStatus): TextLine {
  return { parts: [{ text: effect }], ...(command === undefined ? {} : { command }) };
}
