import { type LedgerDecision, listOpenRequests } from "../../records/index.ts";
import { answerRequest, startConverging } from "../../transitions/index.ts";
import type { DriftBasis } from "./list-drift.ts";
import { planConverge } from "./plan-converge.ts";

/** A run's record names its workloads, and every process reads the record whole. */
export const mostWorkloads = 10_000;

/** Carries out the oldest `converge` request: drift in its scope becomes runs of its own (ADR 46). */
export function carryOutConverge(basis: DriftBasis): LedgerDecision | undefined {
  const { snapshot, ledger } = basis;
  const [request] = listOpenRequests(snapshot.requests, ledger, ["converge"]);
  if (request === undefined) return undefined;
  const { id, scope, workloads, who, why } = request;
  const named = workloads === undefined ? {} : { workloads };
  const { runs, drift } = planConverge(basis, { id, scope, who, why, cause: "verb", ...named });
  if (drift.length === 0) return answerRequest(snapshot, ledger, request, { code: "NothingToConverge", scope, who });
  if (drift.length > mostWorkloads) {
    const counts = { workloads: drift.length, most: mostWorkloads };
    return answerRequest(snapshot, ledger, request, { code: "TooMuchToConverge", scope, who, ...counts });
  }
  return startConverging(snapshot, ledger, runs, { scope, who, why, workloads: drift.length }, request);
}
