import { ok, strictEqual } from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";

import { createSigner, type LedgerSigner, openLedger } from "#libs/ledger";

import { makeLedgerKey } from "../../../../sandbox/demo/world/make-ledger-key.ts";
import type { Fault, Stage } from "../passes/fault.ts";
import { file } from "../passes/shop.ts";
import { staysStill, untilSettled } from "../passes/stays-still.ts";
import { askCli } from "./ask-cli.ts";
import { findWait, holdsAll, reconciles } from "./holds-all.ts";

const unsigned = "LedgerUnsigned";
/** Exit code of a command that found what must be put right. */
const problems = 79;

/** A person makes the key, signs what stands there, and main names the key: docs/how-to/sign-the-ledger.md. */
async function openSigned(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await stage.prepare("well");
  const { path, signers } = makeLedgerKey(fleet.folder);
  fleet.signing = { MESHROLL_LEDGER_KEY_FILE: path };
  await fleet.meshroll("ledger", "sign", "--yes", "--by", "ana");
  const { main } = await fleet.repository.fetch();
  const settings = await fleet.repository.read(main, "meshroll.yml");
  await fleet.merge({ "meshroll.yml": `${settings ?? ""}${signers}` });
  await stage.startAll();
}

/** One try: undefined where the planner recorded something in between. */
async function tryToForge({ fleet }: Stage, signer?: LedgerSigner): Promise<string | undefined> {
  const before = await fleet.ledger();
  const resume = { at: new Date(fleet.clock.now()).toISOString(), who: "eve", why: "forged" };
  const stops = Object.fromEntries(Object.entries(before.stops).map(([id, stop]) => [id, { ...stop, resume }]));
  const next = { ...before, sequence: before.sequence + 1, stops };
  const entry = { sentence: "forged", actor: "eve", cause: "Forged", next };
  const written = await openLedger(fleet.repository, signer).record(entry, before);
  return written.kind === "recorded" ? written.state.head : undefined;
}

/** As often as an attacker would have to try, and more often than the planner records anything in a pause. */
const mostTries = 20;

/** Another writer, who may push to the ledger's branch, ends all stops in it. Answers the commit. */
async function forgeResume(stage: Stage, signer?: LedgerSigner): Promise<string> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const forged = await tryToForge(stage, signer);
    if (forged !== undefined) return forged;
  }
  throw new Error(`the forged commit was not taken in ${mostTries} tries`);
}

/** `ledger check` names the commit; `--repair` puts back what was signed last, and the pause is in force again. */
async function repair(stage: Stage, forged: string): Promise<void> {
  const { fleet } = stage;
  const reconciled = await askCli(fleet, "ledger", "check");
  strictEqual(reconciled.code, problems, reconciled.stderr);
  for (const each of [forged.slice(0, 12), "meshroll ledger check --repair"])
    ok(reconciled.stdout.includes(each), `ledger check says ${each}: ${reconciled.stdout}`);
  await fleet.meshroll("ledger", "check", "--repair", "--yes", "--by", "ana");
  await fleet.until("the wait is over", async () => (await findWait(stage, unsigned)) === undefined);
  const resumed = Object.values((await fleet.ledger()).stops).filter(({ resume }) => resume !== undefined);
  strictEqual(resumed.length, 0, "the forged resume is gone");
  await staysStill(stage, async () => undefined, reconciles);
}

async function playUnsigned(stage: Stage): Promise<void> {
  const { fleet } = stage;
  await openSigned(stage);
  await fleet.merge({ "rollouts.yml": file(100) });
  await stage.reach();
  await fleet.meshroll("pause", "all", "--reason", "we look first");
  await untilSettled(stage);

  const forged = await forgeResume(stage);
  await holdsAll(stage, unsigned, [forged.slice(0, 12), "it has no signature"]);
  await repair(stage, forged);

  // And with a signature that is good, of a key that main does not name.
  const { privateKey } = generateKeyPairSync("ed25519");
  const signer = createSigner(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
  const foreign = await forgeResume(stage, signer);
  await holdsAll(stage, unsigned, [foreign.slice(0, 12), signer.fingerprint]);
  await repair(stage, foreign);

  await fleet.meshroll("resume", "all", "--reason", "it is put right");
  stage.fixed();
  await stage.endsUndisturbed("well");
}

/** A ledger whose commits are signed, and another writer who may push to its branch: over real processes and a real command line. */
export const unsignedLedgerFaults: readonly Fault[] = [
  {
    name: "ledger-unsigned",
    factor: 60,
    shows:
      "a pause resumed by a commit that another writer pushed, unsigned or by a key of theirs, holds until ledger check --repair",
    play: playUnsigned,
  },
];
