import { printRollbackRefusal, type RollbackRefusal } from "../rollback-refusals.ts";
import { count, shorten, us, type Wordings } from "../reasons/wording.ts";
import { quoteForShell } from "../resume-command.ts";
import { listFirst, printStopEnd } from "./stop-causes.ts";

/** Who requested it, and the reason given. */
interface Asked {
  readonly who: string;
  readonly why: string;
}

interface ConvergeWords {
  readonly scope: string;
}

/** What a resume did not find: these stops, or any on its scope. */
type Unresumed = { readonly scope: string } | { readonly stops: readonly string[] };

/** The verb that ends these stops: holds are unheld, pauses are resumed. */
interface Ended {
  readonly verb: "resume" | "unhold";
}

const endedWords = { resume: "resumed", unhold: "unheld" } as const;

function printUnresumed(verb: Ended["verb"], missing: Unresumed): string {
  if ("scope" in missing && verb === "unhold") return `no hold on ${missing.scope} is recorded`;
  const kubectl =
    verb === "unhold" ? "" : " (one placed by kubectl: kubectl -n meshroll-system delete configmap meshroll-stop)";
  return `${printMissing(missing)}${kubectl}`;
}

function printMissing(missing: Unresumed): string {
  return "stops" in missing
    ? `${missing.stops.join(", ")} ${missing.stops.length === 1 ? "is" : "are"} no longer active`
    : `no stop on ${missing.scope} is recorded`;
}

/** A run that was rolled back, and how its change comes again. */
interface RolledBack {
  readonly kind: "rolledBack";
  readonly run: string;
  /** The rollback's run. */
  readonly by: string;
  /** Scopes of its holds that are active. */
  readonly holds: readonly string[];
  /** The stage that is proposed again; absent for a run without a campaign. */
  readonly stage?: string;
  /** The run in which that stage came again. */
  readonly next?: string;
}

/** Why there is nothing to retry. */
type Unretried =
  | { readonly kind: "unreadable" | "tooOld"; readonly scope: string }
  | { readonly kind: "noneFailed"; readonly run: string }
  | RolledBack
  | { readonly kind: "notFailed"; readonly run: string; readonly workloads: readonly string[] };

/** What did not fail is no retry's: its owner put it back, or it came later. */
function printNotFailed(run: string, workloads: readonly string[]): string {
  const [first = ""] = workloads;
  const command = `meshroll converge ${quoteForShell(first)} --reason "…"`;
  return `${listFirst(workloads)} did not fail in run ${run}; where it differs from main: ${command}`;
}

/** Its failed workloads fail again in the run of the stage's next proposal, which a retry names then. */
function printRolledBack({ run, by, holds, stage, next }: RolledBack): string {
  const told = `run ${run} was rolled back by run ${by}`;
  if (next !== undefined)
    return `${told}; its stage came again as run ${next}: meshroll retry run/${next} --reason "…"`;
  const again = stage === undefined ? "its change has to be merged again" : `its stage ${stage} is proposed again`;
  if (holds.length === 0) return `${told}; ${again}`;
  const commands = holds.map((scope) => `meshroll unhold ${quoteForShell(scope)} --reason "…"`);
  const what = holds.length === 1 ? "the hold" : "the holds";
  return `${told}; ${again}, once a person ends ${what}: ${commands.join(", ")}`;
}

function printUnretried(missing: Unretried): string {
  switch (missing.kind) {
    case "unreadable":
      return `the record of ${missing.scope} in the archive of branch meshroll/ledger cannot be read`;
    case "tooOld":
      return `${missing.scope} is not open, and too old to be opened again`;
    case "noneFailed":
      return `no workload of run ${missing.run} failed; other differences from main: meshroll get drift`;
    case "rolledBack":
      return printRolledBack(missing);
    case "notFailed":
      return printNotFailed(missing.run, missing.workloads);
  }
}

/** Transitions of a stop or a verb; the verb's record keeps the sentence as its answer. */
/** `cluster:namespace/*` is a namespace that moves as one, with all its workloads. */
function countRetried(names: readonly string[]): string {
  const whole = names.filter((name) => name.endsWith("/*")).length;
  const single = names.length - whole;
  const parts = [
    ...(single === 0 ? [] : [count(single, "workload")]),
    ...(whole === 0 ? [] : [`${count(whole, "namespace")} as a whole`]),
  ];
  return parts.join(" and ");
}

export const verbTransitions = {
  BaselineRecorded: ({ commit, by }: { readonly commit: string; readonly by: string }) => ({
    message: `baseline ${shorten(commit)}: nothing moves; later changes of main become runs`,
    owner: by,
  }),
  StopPlaced: ({ stop, scope, who, why }: Asked & { readonly stop: string; readonly scope: string }) => ({
    message: `stop ${stop} on ${scope}: ${why} (${who})`,
    owner: who,
  }),
  StopResumed: (resumed: Asked & Ended & { readonly stops: readonly string[]; readonly scopes: readonly string[] }) => {
    const { verb, stops, scopes, who, why } = resumed;
    return { message: `${endedWords[verb]} ${stops.join(", ")} on ${scopes.join(", ")} (${who}: ${why})`, owner: who };
  },
  /** `main`: its head, which has the distributions of the rollback's target. */
  RollbackOver: ({ stop, scope, main }: Readonly<Record<"stop" | "scope" | "main", string>>) => ({
    message: `rollback ${stop} of ${scope} has ended: ${printStopEnd({ code: "SaidByMain", main })}`,
    owner: us,
  }),
  Retried: ({ run, workloads, who, why }: Asked & { readonly run: string; readonly workloads: readonly string[] }) => ({
    message: `retry of run ${run}: ${countRetried(workloads)} will be tried again: ${listFirst(workloads)} (${who}: ${why})`,
    owner: who,
  }),
  StopKnown: ({ stop, who }: { readonly stop: string; readonly who: string }) => ({
    message: `not placed: another stop is recorded as ${stop}`,
    owner: who,
  }),
  RollbackRefused: ({ refusal, who }: { readonly refusal: RollbackRefusal; readonly who: string }) => ({
    message: `not rolled back: ${printRollbackRefusal(refusal)}`,
    owner: who,
  }),
  NothingToResume: ({ verb, missing, who }: Ended & { readonly missing: Unresumed; readonly who: string }) => ({
    message: `nothing to ${verb}: ${printUnresumed(verb, missing)}`,
    owner: who,
  }),
  NothingToRetry: ({ missing, who }: { readonly missing: Unretried; readonly who: string }) => ({
    message: `nothing to retry: ${printUnretried(missing)}`,
    owner: who,
  }),
  /** `workloads`: how many differ from main. */
  Converging: (started: Asked & ConvergeWords & { readonly runs: readonly string[]; readonly workloads: number }) => {
    const { runs, scope, workloads, who, why } = started;
    const named = `${runs.length === 1 ? "run" : "runs"} ${runs.join(", ")}`;
    return {
      message: `${named} started: converge ${scope}, ${count(workloads, "workload")} (${who}: ${why})`,
      owner: who,
    };
  },
  NothingToConverge: ({ scope, who }: ConvergeWords & { readonly who: string }) => ({
    message: `nothing to converge: in ${scope} no workload differs from main, except those that a run moves or that may not move`,
    owner: who,
  }),
  TooMuchToConverge: (
    refused: ConvergeWords & Pick<Asked, "who"> & Readonly<Record<"workloads" | "most", number>>,
  ) => ({
    message:
      `not converged: ${refused.workloads} workloads of ${refused.scope} differ from main, and a request takes at most ` +
      `${refused.most}: name a cluster, a bucket or a namespace`,
    owner: refused.who,
  }),
} satisfies Wordings;
