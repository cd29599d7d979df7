import { createSigner, type LedgerSigner, SigningKeyRefused } from "#libs/ledger";
import { ConfigProblems, readSecretFile } from "#libs/runtime";

const name = "MESHROLL_LEDGER_KEY_FILE";

/** The key that signs what this planner records; undefined where no file is named. Throws `ConfigProblems` for one that holds none. */
export function readSigner(path: string | undefined): LedgerSigner | undefined {
  if (path === undefined) return undefined;
  try {
    return createSigner(readSecretFile(path));
  } catch (error) {
    if (error instanceof SigningKeyRefused)
      throw new ConfigProblems([{ name, message: `${error.message}; ${error.fix}` }]);
    throw error;
  }
}
