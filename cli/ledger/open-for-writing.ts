import type { RolloutsRepository } from "#libs/git";
import type { Ledger, LedgerSigner } from "#libs/ledger";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

const variable = "MESHROLL_LEDGER_KEY_FILE";

async function readKey(path: string): Promise<LedgerSigner> {
  const { createSigner, SigningKeyRefused } = await import("#libs/ledger");
  const { readSecretFile } = await import("#libs/runtime");
  try {
    return createSigner(readSecretFile(path));
  } catch (error) {
    if (error instanceof SigningKeyRefused)
      throw new Refusal(exitCodes.environment, `${variable}: ${error.message}`, error.fix);
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new Refusal(exitCodes.environment, `${variable}: ${error.message}`, "name a file that you can read");
  }
}

/** The ledger as this command line writes it, and the key that it signs with. */
export interface WritableLedger {
  readonly ledger: Ledger;
  readonly signer: LedgerSigner | undefined;
}

/** Signs with the key that the environment names. Where main names signers it has to be the key of one: no process would read it else. */
export async function openForWriting(
  repository: RolloutsRepository,
  main: string,
  { env }: Pick<Terminal, "env">,
): Promise<WritableLedger> {
  const { openLedger } = await import("#libs/ledger");
  const { readSigners } = await import("#libs/repository");
  const path = env[variable] ?? "";
  const signer = path === "" ? undefined : await readKey(path);
  const signers = await readSigners(repository, main);
  if (signers.length > 0 && !signers.includes(signer?.publicKey ?? "")) {
    const has = signer === undefined ? "no key is at hand" : `the key ${signer.fingerprint} is none of them`;
    throw new Refusal(
      exitCodes.refused,
      `ledger.signers of meshroll.yml names who may write branch meshroll/ledger, and ${has}`,
      `set ${variable} to the file with the private key of one of them`,
    );
  }
  return { ledger: openLedger(repository, signer), signer };
}
