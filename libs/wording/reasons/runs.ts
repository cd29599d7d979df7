import { type ClosedCause, printDuration } from "#libs/campaign";

import { nameManager, nameManagerEnd, printManagerEnd } from "../managers/manager-ends.ts";
import { explainClosed } from "../calendar.ts";
import { type GateFinding, printEvidenceCounts, wordFinding } from "../gates/findings.ts";
import { nameResume, type ResumableStop } from "../resume-command.ts";
import { printRollbackRefusal, type RollbackRefusal } from "../rollback-refusals.ts";
import { listChoices } from "../stop-choices.ts";
import { count, listSome, us, type Wording, type Wordings } from "./wording.ts";

/** The parts of a stop for its sentence. */
export interface StopWords extends ResumableStop {
  readonly who: string;
  readonly why: string;
  /** A rollback of its run is in force. */
  readonly isRollingBack?: boolean;
  /** Who can end it, where that is not who placed it, as for a stop of meshroll's own. */
  readonly owner?: string;
  /** The campaign of its run. */
  readonly campaign?: string;
}

/** A stop that holds something. */
function explainStop({ scope, who, why }: Pick<StopWords, "scope" | "who" | "why">): string {
  return `${scope} is stopped by ${who}: ${why}`;
}

/** The choices, where there is more to do than to end the stop. */
function offer(stop: Parameters<typeof listChoices>[0]): Pick<Wording, "command" | "choices"> {
  const choices = listChoices(stop);
  const [first] = choices;
  return first === undefined ? {} : { command: first.command, choices };
}

function wordStop({ stop }: { readonly stop: StopWords }) {
  return { message: explainStop(stop), owner: stop.owner ?? stop.who, command: nameResume(stop), ...offer(stop) };
}

function wordClosed({ cause }: { readonly cause: ClosedCause }) {
  return { message: explainClosed(cause), owner: "the calendar of the campaign" };
}

/** The persons who own a campaign. */
export interface CampaignOwners {
  readonly name: string;
  readonly owners: readonly string[];
}

export function nameOwners({ name, owners }: CampaignOwners): string {
  return owners.length === 0 ? `the owners of campaign ${name}` : owners.join(", ");
}

function pickRollingBack(stop: StopWords | undefined): Pick<StopWords, "isRollingBack"> {
  return stop?.isRollingBack === undefined ? {} : { isRollingBack: stop.isRollingBack };
}

interface GateWords {
  readonly gate: string;
  readonly found: GateFinding;
  /** Who decides where only the gate's own limit matters. */
  readonly owner: string;
}

/** Workloads that owners' deploys overwrote. */
export interface Overwritten {
  readonly workloads: number;
  /** The oldest run that had moved one of them. */
  readonly run: string | undefined;
  /** The scope of the `converge` that brings exactly these back. */
  readonly scope: string;
}

/** The sentence, and the command that ends it. */
export function wordOverwritten({ workloads, run, scope }: Overwritten) {
  const since = run === undefined ? "" : ` since run ${run}`;
  const verb = workloads === 1 ? "was" : "were";
  return {
    message: `${count(workloads, "workload")} ${verb} put back by their owners' deploys${since}`,
    command: `meshroll converge ${scope} --reason "…"`,
  };
}

/** Why a run, its waves or its bake do not go on. */
export const runReasons = {
  Stopped: wordStop,
  SeveralCampaigns: wordStop,
  WindowClosed: wordClosed,
  Frozen: wordClosed,
  WaveClosed: ({ cluster }: { readonly cluster: string }) => ({
    message: `the wave of ${cluster} is not open yet`,
    owner: us,
  }),
  DelayBetweenWaves: ({ clusters }: { readonly clusters: readonly string[] }) => ({
    message: `the next wave (${clusters.join(", ")}) starts after delayBetweenWaves`,
    owner: us,
  }),
  /** The remaining time is in the status, because it would change the sentence each time. */
  Baking: ({ neededMs }: { readonly leftMs: number; readonly neededMs: number }) => ({
    message: `bake in progress: it takes ${printDuration(neededMs)}`,
    owner: us,
  }),
  BakeUnseen: ({ cluster }: { readonly cluster: string }) => ({
    message: `the bake is interrupted: ${cluster} is not seen`,
    owner: `the executor of ${cluster}`,
  }),
  BakeUnhealthy: ({ workloads, total }: { readonly workloads: readonly string[]; readonly total: number }) => ({
    message: `the bake is interrupted: ${listSome(workloads, 1)} of ${total} workloads lack pods`,
    owner: "the owners of the workloads",
  }),
  RollbackInForce: ({ run, scope, who }: { readonly run: string; readonly scope: string; readonly who: string }) => ({
    message: `run ${run} waits for the rollback of ${scope} by ${who} to finish`,
    owner: who,
  }),
  /** A rollback in force that cannot be carried out. */
  RollbackRefused: (refused: {
    readonly run?: string;
    readonly refusal: RollbackRefusal;
    readonly stop: StopWords;
  }) => {
    const { run, refusal, stop } = refused;
    const subject = run === undefined ? stop.scope : `run ${run}`;
    return {
      message: `${subject} is stopped, and not rolled back: ${printRollbackRefusal(refusal)}`,
      owner: stop.who,
      command: nameResume(stop),
    };
  },
  GatePending: ({ gate, found, owner }: GateWords) => {
    const words = wordFinding(found);
    return {
      message: `gate ${gate} has no verdict yet: ${words.message}`,
      owner: words.owner ?? owner,
      command: "meshroll status",
    };
  },
  GateNoData: ({ gate, found, owner, file }: GateWords & { readonly file: string }) => {
    const words = wordFinding(found);
    const without = `to continue without it merge onNoData: pass for this gate into ${file}`;
    return {
      message: `gate ${gate} has no data: ${words.message}; ${without}`,
      owner: words.owner ?? owner,
      command: `meshroll validate ${file}`,
    };
  },
  /** A run with too little evidence, or none. */
  NoEvidence: ({
    run,
    minWorkloads,
    file,
    owner,
    ...counts
  }: {
    readonly run: string;
    readonly migrated: number;
    readonly idle: number;
    readonly skipped: number;
    readonly minWorkloads: number;
    readonly file: string;
    readonly owner: string;
  }) => ({
    message:
      `run ${run} has too little evidence: ${printEvidenceCounts(counts)}, and minWorkloads requires ${minWorkloads} migrated; ` +
      `it continues when one gets replicas or a retry moves one; ` +
      `to continue without it merge minWorkloads: ${counts.migrated} into ${file}`,
    owner,
    command: `meshroll validate ${file}`,
  }),
  GateFailed: ({
    run,
    why,
    owner,
    stop,
    ...known
  }: {
    readonly run: string;
    readonly why: string;
    readonly owner: string;
    readonly campaign?: string;
    readonly hasFailed: boolean;
    /** The stop that it placed; absent: it was not recorded yet. */
    readonly stop?: StopWords;
  }) => ({
    message: stop === undefined ? why : explainStop(stop),
    owner,
    ...offer({ scope: `run/${run}`, cause: "gate", ...known, ...pickRollingBack(stop) }),
  }),
  /** Only reported; nothing waits for it. `names`: some of them, as `cluster:namespace/Kind/name`; `managers`: who wrote. */
  OverwrittenByOwners: ({
    names,
    managers,
    ...words
  }: Overwritten & { readonly names: readonly string[]; readonly managers: readonly (string | undefined)[] }) => {
    const { message, command } = wordOverwritten(words);
    const left = words.workloads - names.length;
    const more = left > 0 ? ` and ${left} more` : "";
    const ends = managers.map((each) => `; ${printManagerEnd(nameManager(each), nameManagerEnd(each))}`);
    return { message: `${message}: ${names.join(", ")}${more}${ends.join("")}`, owner: "their owners", command };
  },
} satisfies Wordings;
