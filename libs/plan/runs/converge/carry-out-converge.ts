import { lookUp } from "#libs/input";

import type { LedgerDecision, VerbRequest } from "../../records/index.ts";
import { answerRequest, startConverging } from "../../transitions/index.ts";
import type { DriftBasis } from "./list-drift.ts";
import { planConverge } from "./plan-converge.ts";

/** A run's record names its workloads, and every process reads the record whole. */
export const mostWorkloads = 10_000;

function findRequest({ snapshot, ledger }: DriftBasis): VerbRequest | undefined {
  const waiting = snapshot.requests.filter(
    ({ id, verb }) => verb === "converge" && lookUp(ledger.requests, id) === undefined,
  );
  return waiting.toSorted((a, b) => (a.at < b.at ? -1 : 1))[0];
}

/** Carries out the oldest `converge` request: drift in its scope becomes runs of its own (ADR 46). */
export function carryOutConverge(basis: DriftBasis): LedgerDecision | undefined {
  const request = findRequest(basis);
  if (request === undefined) return undefined;
  const { snapshot, ledger } = basis;
  const { id, scope, who, why } = request;
  const { runs, drift } = planConverge(basis, { id, scope, who, why, cause: "verb" });
  if (drift.length === 0) return answerRequest(snapshot, ledger, request, { code: "NothingToConverge", scope, who });
  if (drift.length > mostWorkloads) {
    const counts = { workloads: drift.length, most: mostWorkloads };
    return answerRequest(snapshot, ledger, request, { code: "TooMuchToConverge", scope, who, ...counts });
  }
  return startConverging(snapshot, ledger, runs, { scope, who, why, workloads: drift.length }, request);
}
