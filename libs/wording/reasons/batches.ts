import { printText } from "../text.ts";
import { renderWorkloadReason, type WaitingReason } from "../workloads.ts";
import { count, planner, us, type Wordings } from "./wording.ts";

const workloads = "the owners of the workloads";

function printWaiting({ cluster, count: number, example }: Blocked): string {
  const { message } = renderWorkloadReason(example.reason);
  return `${number} in ${cluster} ${number === 1 ? "waits" : "wait"}: ${printText(message)} (${example.workload})`;
}

/** Workloads that wait for their owners, by cause; the first of them is the example. */
interface Blocked {
  readonly cluster: string;
  readonly count: number;
  readonly example: { readonly workload: string; readonly reason: WaitingReason };
}

function wordBlocked(owner: string) {
  return (blocked: Blocked) => ({ message: printWaiting(blocked), owner });
}

/** A rollout may go below a budget where its owner gives a reason; with more replicas or `maxSurge` that is not needed. */
function wordBudget(blocked: Blocked) {
  const [namespace = "", kind = "", name = ""] = blocked.example.workload.split("/");
  const command = `kubectl -n ${namespace} annotate ${kind.toLowerCase()} ${name} meshroll.dev/ignore-budget="…"`;
  return { ...wordBlocked(workloads)(blocked), command };
}

/** Why one cluster has its next batch, or has none. */
export const batchReasons = {
  BatchReady: (reason: {
    readonly cluster: string;
    readonly chosen: number;
    readonly pending: number;
    readonly batchSize: number;
  }) => ({
    message: `${reason.chosen} of ${reason.pending} pending workloads of ${reason.cluster}, batchSize ${reason.batchSize}`,
    owner: us,
  }),
  /** Without `batchSize`: workloads that roll or are broken, all at once. */
  RollbackReady: (reason: {
    readonly cluster: string;
    readonly chosen: number;
    readonly pending: number;
    readonly batchSize?: number;
  }) => {
    const how = reason.batchSize === undefined ? "rolling or broken ones first" : `rollback.batch ${reason.batchSize}`;
    return {
      message: `${reason.chosen} of ${reason.pending} workloads of ${reason.cluster} are rolled back, ${how}`,
      owner: us,
    };
  },
  BatchFull: (reason: { readonly cluster: string; readonly rolling: number; readonly batchSize: number }) => ({
    message: `${count(reason.rolling, "workload")} in rollout in ${reason.cluster}, batchSize is ${reason.batchSize}`,
    owner: workloads,
  }),
  BatchSettling: ({ cluster, rolling }: { readonly cluster: string; readonly rolling: number }) => ({
    message: `${count(rolling, "workload")} still in rollout in ${cluster}`,
    owner: workloads,
  }),
  DelayBetweenBatches: ({ cluster }: { readonly cluster: string }) => ({
    message: `the next batch in ${cluster} starts after the delay`,
    owner: us,
  }),
  MaxUnavailable: (reason: { readonly cluster: string; readonly missing: number; readonly allowed: number }) => ({
    message: `${count(reason.missing, "workload")} of ${reason.cluster} unavailable, ${reason.allowed} allowed`,
    owner: workloads,
  }),
  /** Namespaces whose own label decides move one at a time, each as a whole. */
  NamespaceBegun: (reason: { readonly cluster: string; readonly namespace?: string }) => ({
    message:
      reason.namespace === undefined
        ? `waiting for another namespace in ${reason.cluster} to finish`
        : `waiting for namespace ${reason.namespace} in ${reason.cluster} to finish`,
    owner: workloads,
  }),
  BatchInHand: ({ cluster, run }: { readonly cluster: string; readonly run: string }) => ({
    message: `a batch of run ${run} is in progress in ${cluster}`,
    owner: `the executor of ${cluster}`,
  }),
  /** The API server refused all that is left of a rollback; its message is in the stop of the cluster. */
  WritesRefused: (reason: { readonly cluster: string; readonly count: number; readonly example: string }) => ({
    message:
      `the API server of ${reason.cluster} refuses to change ${count(reason.count, "workload")} of the rollback, ` +
      `such as ${reason.example}: each is tried again within a minute`,
    owner: `the operator of ${reason.cluster}`,
  }),
  JobFailed: (reason: { readonly cluster: string; readonly run: string; readonly why: string | undefined }) => ({
    message: explainFailedJob(reason),
    owner: planner,
    command: `meshroll resume cluster/${reason.cluster} --reason "…"`,
  }),
  ForeignJob: ({ cluster, why }: { readonly cluster: string; readonly why: string | undefined }) => ({
    message: `a job in the queue of ${cluster} is dropped: ${why ?? "meshroll did not write it"}`,
    owner: "the owners of logins that may write to Redis",
  }),
  BudgetAllowsNothing: wordBudget,
  BudgetAllowsLess: wordBudget,
  PausedByOwner: wordBlocked(workloads),
  Partitioned: wordBlocked(workloads),
  AwaitsPromotion: wordBlocked(workloads),
  RolloutDegraded: wordBlocked(workloads),
  OwnerRollout: wordBlocked(workloads),
  /** Strategy `OnDeploy`. */
  AwaitsDeploy: ({ cluster, count: number }: Blocked) => ({
    message: `${count(number, "workload")} of ${cluster} ${number === 1 ? "waits" : "wait"} for deploys of their owners`,
    owner: workloads,
    command: `meshroll get workloads --cluster ${cluster} -o wide`,
  }),
  TagNotMoved: wordBlocked("the tag's owner"),
  GatewayHeld: (blocked: Blocked) => ({
    message: printWaiting(blocked),
    owner: "the owners of the gateways, and who merges meshroll.yml",
    command: `meshroll explain ${blocked.example.workload.split("/")[0] ?? ""}`,
  }),
  QueueDown: ({ message = "Redis does not answer" }: { readonly message?: string }) => ({
    message: `${message}: no new batch starts`,
    owner: "the operator of Redis",
  }),
} satisfies Wordings;

/** Also the reason of the stop that such a job causes. */
export function explainFailedJob({ run, why }: { readonly run: string; readonly why: string | undefined }): string {
  return `the batch of run ${run} failed: ${why ?? "no reason given"}`;
}
