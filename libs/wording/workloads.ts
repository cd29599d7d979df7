import type { CasesOf } from "./cases.ts";
import { type FailureCause, printCause } from "./causes/failure-causes.ts";
import { nameManagerEnd } from "./managers/manager-ends.ts";
import { printText, type Text, writeText } from "./text.ts";
import { refused, say, unmanaged, type WorkloadWording } from "./workloads/left-alone.ts";

/** A wait for the owner; `isOver`: it lasted long enough to skip the workload. */
interface OwnersTurn {
  readonly isOver?: true;
}

function wordTurn(message: string) {
  return ({ isOver }: OwnersTurn): WorkloadWording => ({
    message: isOver === true ? `${message}, for too long` : message,
  });
}

function countPods(count: number): string {
  return count === 1 ? "1 pod" : `${count} pods`;
}

function printAsOne(cause: FailureCause | undefined): string {
  return ` (its namespace failed as one${cause?.workload === undefined ? "" : `, with ${cause.workload}`})`;
}

/** `isTold`: a cause stands before it, which may have commas itself. */
function printStays({ code, revision }: { readonly code: string; readonly revision: string }, isTold: boolean): string {
  return (
    `${isTold ? ";" : ","} not put back (${code}): new pods would get no sidecar of ${revision}, which the mesh ` +
    "operator has to repair (meshroll doctor); then it is put back by itself; failed"
  );
}

function wordRefusal(why: string | undefined): string {
  return why === undefined ? "" : `: the API server refused to change it: ${why}`;
}

/** A sidecar with another image than its revision injects. */
export interface PinnedProxy {
  readonly image: string;
  readonly injects?: string;
  readonly by?: "sidecar.istio.io/proxyImage" | "container istio-proxy";
}

/** The end of its move for this run. */
const ended = {
  /**
   * `failure`: the reason on the object (`ReadinessTimeout`); `isNamespace`: the namespace failed as a whole; `notPutBack`:
   * nothing served the earlier revision, and the code of why; `why`: its API server refused; `cause`: what its pods said.
   */
  MoveFailed: (reason: {
    readonly failure: string;
    readonly at: string;
    readonly isNamespace: boolean;
    readonly notPutBack?: { readonly code: string; readonly revision: string };
    readonly why?: string;
    readonly cause?: FailureCause;
  }): WorkloadWording => ({
    code: reason.failure,
    message:
      `${reason.failure}${reason.isNamespace ? printAsOne(reason.cause) : ""}` +
      `${wordRefusal(reason.why)}${printCause(reason.cause)}` +
      `${reason.notPutBack === undefined ? "" : printStays(reason.notPutBack, reason.cause !== undefined)}`,
    at: reason.at,
  }),
  /** `mark`: an annotation of ours, `by`: the field manager that wrote it, `isNamespace`: it is on the namespace. */
  MarkedByHand: (reason: {
    readonly mark: string;
    readonly by: string;
    readonly isNamespace: boolean;
  }): WorkloadWording => {
    const { mark, by } = reason;
    const where = reason.isNamespace ? "its namespace's" : "its";
    return {
      message:
        `MarkedByHand: ${where} ${mark} was written by ${by}, not by meshroll: ` +
        `meshroll changes nothing here until its owner removes it`,
    };
  },
  Overwritten: (reason: {
    readonly manager?: string;
    readonly pointers: readonly string[];
    readonly target: string;
  }): WorkloadWording => {
    const who = reason.manager ?? "an unknown manager";
    const what = `it changed ${reason.pointers.join(" and ")} after meshroll wrote ${reason.target}`;
    return {
      message: `Overwritten by ${who}: ${what}; what stops that: ${nameManagerEnd(reason.manager, "that path")}`,
    };
  },
  UnhealthyBefore: say("UnhealthyBefore: unhealthy before and after its one try"),
  ClusterExcluded: ({ cluster }: { readonly cluster: string }): WorkloadWording => ({
    message: `ClusterExcluded: meshroll.yml says clusters.${cluster}.excluded`,
  }),
  Excluded: (reason: { readonly why: string; readonly file?: string; readonly until?: string }): WorkloadWording => ({
    message: `Excluded: ${reason.why}${reason.file === undefined ? "" : ` (${reason.file})`}`,
    ...(reason.until === undefined ? {} : { until: reason.until }),
  }),
  /** `by`: the place in the template that pins it; absent = none. `injects`: absent = not known. */
  ProxyPinned: ({ image, injects, by }: PinnedProxy): WorkloadWording => {
    const instead = injects === undefined ? "its revision's own" : `${injects}, which its revision injects`;
    const set = by === undefined ? "" : `, set by ${by} of its template`;
    const way = by === undefined ? "restart it, or remove what changes the image" : "remove that";
    return { message: `ProxyPinned: its sidecar is ${image}${set}, not ${instead}; to migrate it ${way}` };
  },
  OtherRevision: (reason: {
    readonly revision: string;
    readonly file: string;
    readonly replaces: readonly string[];
  }): WorkloadWording => ({
    message: `OtherRevision: runs ${reason.revision}, which ${reason.file} does not replace (${reason.replaces.join(", ")})`,
  }),
};

/** Not moved, although its next pods get the target because its namespace's label changes. */
const touched = {
  /** `pods`: live ones that stay on the old revision; `because`: why it is not moved. */
  NotRestarted: (reason: {
    readonly target: string;
    readonly pods: number;
    readonly because?: RefusedReason;
  }): WorkloadWording => {
    const { target, pods, because } = reason;
    const why = because === undefined ? "" : `${printText(renderWorkloadReason(because).message)}; `;
    const stay = pods === 1 ? "1 live pod stays as it is" : `${pods} live pods stay as they are`;
    return {
      message: `${why}the label of its namespace changes and it is not restarted: ${stay}, the next one runs ${target}`,
    };
  },
  RolledByIstiod: ({ target }: { readonly target: string }): WorkloadWording => ({
    message: `istiod deploys this gateway: that of ${target} rolls it out at once when the label of its namespace changes`,
  }),
};

/** A Rollout, as its owner's commands name it. */
interface ArgoPlace {
  readonly name: string;
  readonly namespace: string;
}

/** Waits for the owner of the workload or of the tag. */
const waiting = {
  /** `takes`: pods that its rollout takes away at once; absent = not known. */
  BudgetAllowsNothing: ({ takes, ...turn }: OwnersTurn & { readonly takes?: number }): WorkloadWording => {
    const rollout = takes === undefined ? "" : `, and its rollout takes ${countPods(takes)} away at once`;
    return wordTurn(`its PodDisruptionBudget allows no disruption${rollout}`)(turn);
  },
  BudgetAllowsLess: (reason: OwnersTurn & { readonly takes: number; readonly allowed: number }): WorkloadWording =>
    wordTurn(
      `its PodDisruptionBudget allows ${countPods(reason.allowed)} to be missing, and its rollout takes ${reason.takes} away at once`,
    )(reason),
  /** `gateways`: `Kind/name`. */
  GatewayHeld: (reason: { readonly namespace: string; readonly gateways: readonly string[] }): WorkloadWording => {
    const { namespace, gateways } = reason;
    const [what, own] =
      gateways.length === 1 ? ["the gateway", "it a namespace of its"] : ["gateways", "them one of their"];
    const fix = `merge gateways: move in meshroll.yml, or give ${own} own`;
    return {
      message: `namespace ${namespace} has ${what} ${gateways.join(", ")}, touched by its label too: ${fix}`,
    };
  },
  Partitioned: ({ partition, ...turn }: OwnersTurn & { readonly partition: number }): WorkloadWording =>
    wordTurn(`its owner keeps pods below ordinal ${partition} as they are (updateStrategy.rollingUpdate.partition)`)(
      turn,
    ),
  /** `until`: ISO; what is left then is restarted. `by`: the field manager of its last deploy, where it is known. */
  AwaitsDeploy: ({ until, by }: { readonly until: string; readonly by?: string }): WorkloadWording => ({
    message: `its owner's next deploy${by === undefined ? "" : ` (by ${by})`} moves it, or a batch after the deadline`,
    until,
  }),
  /** `done` of the steps `of`; absent = its strategy has none. */
  AwaitsPromotion: (
    reason: OwnersTurn & ArgoPlace & { readonly done?: number; readonly of?: number },
  ): WorkloadWording => {
    const { name, namespace, done, of } = reason;
    const where = done === undefined || of === undefined ? "before promotion" : `at step ${done + 1} of ${of}`;
    return wordTurn(`its Rollout is paused ${where}: kubectl argo rollouts promote ${name} -n ${namespace}`)(reason);
  },
  /** `why`: Argo's words. */
  RolloutDegraded: (reason: OwnersTurn & ArgoPlace & { readonly why: string }): WorkloadWording => {
    const { name, namespace, why } = reason;
    const fix = why.startsWith("InvalidSpec") ? `get rollout ${name}` : `retry rollout ${name}`;
    return wordTurn(`its Rollout is degraded (${why}): kubectl argo rollouts ${fix} -n ${namespace}`)(reason);
  },
  PausedByOwner: wordTurn("its owner paused its rollouts (spec.paused)"),
  OwnerRollout: wordTurn("its owner is rolling it out"),
  TagNotMoved: (reason: {
    readonly tag: string;
    readonly revision: string;
    readonly target: string;
  }): WorkloadWording => ({
    message: `revision tag ${reason.tag} points to ${reason.revision}: its owner moves it to ${reason.target} first`,
  }),
};

const wordings = { ...unmanaged, ...refused, ...ended, ...touched, ...waiting };

export type UnmanagedReason = CasesOf<typeof unmanaged>;
export type RefusedReason = CasesOf<typeof refused>;
/** Why it is not moved although its namespace's label is. */
export type TouchedReason = CasesOf<typeof touched>;
/** Why its owner is waited for. */
export type WaitingReason = CasesOf<typeof waiting>;
/** Why a workload is not where the file wants it: a code, and the fields of its sentence. */
export type WorkloadReason = CasesOf<typeof wordings>;

/** A reason as in records, messages and a status: programs use the code, and times are separate from the sentence. */
export interface RenderedWorkloadReason {
  readonly code: string;
  readonly message: Text;
  readonly at?: string;
  /** ISO, when it ends by itself. */
  readonly until?: string;
}

export function renderWorkloadReason(reason: WorkloadReason): RenderedWorkloadReason {
  const word = wordings[reason.code] as (reason: WorkloadReason) => WorkloadWording;
  const { message, ...rest } = word(reason);
  return { code: reason.code, ...rest, message: writeText(message) };
}

/** Why a workload is skipped, or would be. */
export type SkippedFor = Omit<RenderedWorkloadReason, "code">;

/** The reason of one workload, with its times. */
export function printWorkloadReason(
  { message, at, until }: SkippedFor,
  printTime: (iso: string) => string = (iso) => iso,
): string {
  const end = until === undefined ? "" : `, until ${printTime(until)}`;
  return `${printText(message)}${at === undefined ? "" : ` at ${printTime(at)}`}${end}`;
}
