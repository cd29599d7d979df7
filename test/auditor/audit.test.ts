import { expect, test } from "vitest";

import { audit, describeNotJudged, rules } from "./audit.ts";
import { approvalCases } from "./plant/runs/plant-approvals.ts";
import { convergeCases } from "./plant/runs/plant-converge.ts";
import { doneCases } from "./plant/runs/plant-done.ts";
import { evidenceCases } from "./plant/plant-evidence.ts";
import { deployCases } from "./plant/writes/plant-deploys.ts";
import { groupCases } from "./plant/writes/plant-groups.ts";
import { handCases } from "./plant/writes/plant-hands.ts";
import { listCases } from "./plant/runs/plant-list.ts";
import { make, move, web } from "./plant/plant.ts";
import { rolloutCases } from "./plant/writes/plant-rollouts.ts";
import { proofCases } from "./plant/runs/plant-proofs.ts";
import { waveCases } from "./plant/runs/plant-waves.ts";
import { stopCases } from "./plant/plant-stops.ts";
import { tryCases } from "./plant/writes/plant-tries.ts";
import { wayCases } from "./plant/runs/plant-ways.ts";
import { writeCases } from "./plant/writes/plant-writes.ts";

const cases = {
  ...writeCases,
  ...deployCases,
  ...handCases,
  ...groupCases,
  ...rolloutCases,
  ...evidenceCases,
  ...stopCases,
  ...approvalCases,
  ...listCases,
  ...doneCases,
  ...waveCases,
  ...proofCases,
  ...wayCases,
  ...convergeCases,
  ...tryCases,
};

test("auditor: each rule is shown to find a planted breach", () => {
  const found = new Set(Object.values(cases).flatMap(({ want }) => want));
  expect([...found].toSorted()).toEqual(Object.keys(rules).toSorted());
});

for (const [name, { evidence, want }] of Object.entries(cases)) {
  test(`auditor: ${name}`, () => {
    expect(audit(evidence).violations.map((violation) => violation.rule)).toEqual(want);
  });
}

test("auditor: a signature says how much each rule looked at, and what it could not judge", () => {
  const done = { id: "abcdef012345", state: "done", skipped: [], retried: {} };
  const verdict = audit(make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [], runs: [done] } }));
  expect([verdict.judged["ownFieldsOnly"], verdict.judged["demanded"]]).toEqual([1, 1]);
  expect(describeNotJudged(verdict)).toContain("not judged: listKept: a person's run has no list of who moves (1)");
});
