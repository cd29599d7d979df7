import { describe, expect, it } from "vitest";

import type { ScmSetup } from "./environment.ts";
import { judgeLedgerRules } from "../port/ledger-rules.ts";

const cases = [
  { rules: [], want: { kind: "open", allows: ["forced pushes", "deletion", "pushes of others than meshroll"] } },
  { rules: ["deletion", "non_fast_forward"], want: { kind: "open", allows: ["pushes of others than meshroll"] } },
  { rules: ["deletion", "non_fast_forward", "update"], want: { kind: "protected" } },
];

/** How every `Scm` lists the rules of the ledger's branch; the branch need not exist. */
export function describeLedgerRules(name: string, { make }: ScmSetup): void {
  describe(`${name}: rules of the ledger's branch`, () => {
    it.each(cases)("has the rules $rules", async ({ rules, want }) => {
      const environment = await make({ requiredReviews: 0, requiredChecks: [], ledgerRules: rules });
      expect(judgeLedgerRules(await environment.as("bot").ledgerRules())).toEqual(want);
      await environment.close();
    });
  });
}
