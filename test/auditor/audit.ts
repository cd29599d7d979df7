import type { Evidence, NotJudged, Violation } from "./evidence/evidence.ts";
import { fillCampaigns } from "./reading/files/fill-campaigns.ts";
import { batchesApart, withinBatchSize } from "./rules/pace/batches.ts";
import { withinBudget } from "./rules/pace/budget.ts";
import { convergesAsNamed, reopenedAsNamed } from "./rules/runs/converging.ts";
import { demanded } from "./rules/runs/demanded.ts";
import { doneMeansMigrated } from "./rules/runs/done.ts";
import { undoIsExact } from "./rules/writes/exact-undo.ts";
import { ownersDeployStands } from "./rules/writes/owners-deploys.ts";
import { listKept } from "./rules/runs/list-kept.ts";
import { namedByLedger } from "./rules/writes/names.ts";
import { ownFieldsOnly, ownHandsOnly } from "./rules/writes/own-writes.ts";
import { approved } from "./rules/runs/approved.ts";
import { bakeIsKept } from "./rules/runs/bakes.ts";
import { gatesAreKept, noticeIsKept, stagesInOrder } from "./rules/runs/proofs.ts";
import { rolledBackAreBack, rollbackHolds } from "./rules/runs/returns.ts";
import type { Rule } from "./rules/rule.ts";
import { stoppedStands } from "./rules/pace/stops.ts";
import { restartedOnce } from "./rules/writes/tries.ts";
import { unmanagedUntouched } from "./rules/writes/unmanaged.ts";
import { wavesInOrder } from "./rules/pace/waves.ts";
import { evidenceIsWhole } from "./rules/record/whole-evidence.ts";

/** Every rule that the auditor knows. The test plants a breach of each and expects it to be found. */
export const rules: Readonly<Record<string, Rule>> = {
  evidenceIsWhole,
  ownHandsOnly,
  ownFieldsOnly,
  undoIsExact,
  ownersDeployStands,
  demanded,
  approved,
  convergesAsNamed,
  reopenedAsNamed,
  restartedOnce,
  unmanagedUntouched,
  withinBatchSize,
  batchesApart,
  withinBudget,
  namedByLedger,
  stoppedStands,
  rollbackHolds,
  rolledBackAreBack,
  listKept,
  doneMeansMigrated,
  wavesInOrder,
  bakeIsKept,
  stagesInOrder,
  noticeIsKept,
  gatesAreKept,
};

/** The auditor's result for a history. It signs (vouches for it) when there is no violation. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** How many things each rule looked at. */
  readonly judged: Readonly<Record<string, number>>;
  /** What the evidence cannot decide. The signature does not cover it. */
  readonly notJudged: readonly NotJudged[];
}

/** Judges what outside systems recorded. */
export function audit(given: Evidence): Verdict {
  const evidence = fillCampaigns(given);
  const found = Object.entries(rules).map(([name, rule]) => ({ name, ...rule(evidence) }));
  return {
    violations: found.flatMap(({ violations }) => violations),
    judged: Object.fromEntries(found.map(({ name, judged }) => [name, judged])),
    notJudged: found.flatMap(({ notJudged }) => notJudged),
  };
}

/** One line per breach, for people. */
export function describeViolations(violations: readonly Violation[]): readonly string[] {
  return violations.map((each) => `${each.rule}: ${each.cluster} ${each.path}: ${each.what}`);
}

/** One line per thing that was not judged, for people. */
export function describeNotJudged({ notJudged }: Pick<Verdict, "notJudged">): readonly string[] {
  return notJudged.map(({ rule, why, count }) => `not judged: ${rule}: ${why} (${count})`);
}
