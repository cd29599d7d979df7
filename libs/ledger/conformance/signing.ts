import { generateKeyPairSync } from "node:crypto";

import type { LedgerState } from "#libs/plan";
import { describe, expect, test } from "vitest";

import type { LedgerFixture } from "./fixture.ts";
import { openLedger } from "../branch/git-branch.ts";
import type { RecordOutcome } from "../port.ts";
import { createSigner, type LedgerSigner } from "../signing/signer.ts";

function makeSigner(): LedgerSigner {
  const { privateKey } = generateKeyPairSync("ed25519");
  return createSigner(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
}

function requireRecorded(outcome: RecordOutcome): LedgerState {
  if (outcome.kind !== "recorded") throw new Error(outcome.why);
  return outcome.state;
}

/** How commits of the ledger are signed, and who may have signed them. */
export function describeSigning(
  name: string,
  make: () => Promise<LedgerFixture>,
  makeState: (change?: Partial<LedgerState>) => LedgerState,
): void {
  const entry = { sentence: "a transition", actor: "ana", cause: "Test" };

  describe(`signed commits of the ledger on ${name}`, () => {
    test("each that a process with a key makes is signed by it, and says the same to every reader", async () => {
      const fixture = await make();
      const signer = makeSigner();
      const ledger = openLedger(await fixture.open(), signer);
      const first = requireRecorded(await ledger.record({ ...entry, next: makeState() }, undefined));
      const second = requireRecorded(await ledger.record({ ...entry, next: { ...first, sequence: 2 } }, first));
      const vouched = await ledger.vouch(second.head, "ana", 0);
      if (vouched.kind !== "pushed") throw new Error(vouched.why);

      const reader = openLedger(await fixture.open());
      for (const commit of [first.head, second.head, vouched.sha])
        expect(await reader.judgeSigner(commit, [makeSigner().publicKey, signer.publicKey])).toMatchObject({
          kind: "signed",
          by: signer.fingerprint,
        });
      expect(await reader.load(second.head)).toEqual(second);
      expect({ ...(await reader.load(vouched.sha)), head: "" }).toEqual({ ...second, head: "" });
    });

    test("one by a process without a key, or with another, is not, and its author is named", async () => {
      const fixture = await make();
      const signer = makeSigner();
      const [unsigned, foreign] = [openLedger(await fixture.open()), openLedger(await fixture.open(), makeSigner())];
      const first = requireRecorded(await unsigned.record({ ...entry, next: makeState() }, undefined));
      const second = requireRecorded(await foreign.record({ ...entry, next: { ...first, sequence: 2 } }, first));

      const reader = openLedger(await fixture.open());
      expect(await reader.judgeSigner(first.head, [signer.publicKey])).toEqual({
        kind: "refused",
        why: "it has no signature",
        author: "meshroll planner",
      });
      expect((await reader.judgeSigner(second.head, [signer.publicKey])).kind).toBe("refused");
    });

    test("all files are set back to those of a signed commit, also those that no reader asks for, and it counts on", async () => {
      const fixture = await make();
      const signer = makeSigner();
      const branch = await fixture.open();
      const ledger = openLedger(branch, signer);
      const good = requireRecorded(await ledger.record({ ...entry, next: makeState() }, undefined));
      const files = {
        "archive/runs/2026-01/01/eve.json": "{}",
        "requests/v1.json": null,
        heads: "{}",
        "runs/x.json": "{",
      };
      const author = { name: "eve", email: "eve@example.org" };
      const forged = await branch.commitAndPush({
        branch: "meshroll/ledger",
        onto: good.head,
        files,
        message: "x",
        author,
      });
      if (forged.kind !== "pushed") throw new Error(forged.why);

      const plan = await ledger.planRollback(good.head);
      const outcome = await ledger.repair(forged.sha, plan, "ana", 0);
      if (outcome.kind !== "pushed") throw new Error(outcome.why);

      const reader = openLedger(await fixture.open());
      const { head, sequence, ...state } = await reader.load(outcome.sha);
      const { head: _head, sequence: before, ...want } = good;
      expect([head, sequence, state]).toEqual([outcome.sha, before + 1, want]);
      expect((await reader.judgeSigner(outcome.sha, [signer.publicKey])).kind).toBe("signed");
      expect(await branch.readTree(outcome.sha, ["archive"])).toEqual([]);
    });
  });
}
