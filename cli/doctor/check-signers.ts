import type { Heads, RolloutsRepository } from "#libs/git";
import type { Ledger } from "#libs/ledger";

import { attempt, type CheckResult, fail, pass, skip, warn } from "./check.ts";

const signed = { code: "MR9005", area: "git" } as const;
const guide = "docs/how-to/sign-the-ledger.md";

async function judge(repository: RolloutsRepository, ledger: Ledger, heads: Heads): Promise<CheckResult> {
  const { readSigners } = await import("#libs/repository");
  const signers = await readSigners(repository, heads.main);
  if (signers.length === 0) {
    const message =
      "meshroll.yml names no ledger.signers: who may push to meshroll/ledger can say that a gate passed, that a run is over, " +
      "or take a pause out; so no stage merges itself";
    return warn(signed, message, `sign it: ${guide}`);
  }
  if (heads.ledger === undefined) return skip(signed, "there is no ledger yet", [{ command: "meshroll init" }]);
  const found = await ledger.judgeSigner(heads.ledger, signers);
  if (found.kind === "signed") return pass(signed, `the newest commit of meshroll/ledger is signed by ${found.by}`);
  const message = `the newest commit of meshroll/ledger is signed by no key in ledger.signers (${found.why}): nothing moves`;
  return fail(signed, message, [{ command: "meshroll ledger check" }]);
}

/** Main says who may write the ledger, and its newest commit is theirs. */
export async function checkSigners(...of: Parameters<typeof judge>): Promise<readonly CheckResult[]> {
  return attempt(signed, async () => judge(...of));
}
