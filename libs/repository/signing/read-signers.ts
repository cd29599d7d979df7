import { parseSettings } from "#libs/campaign";
import { GitTooLarge, type RolloutsRepository } from "#libs/git";
import { settingsPath } from "#libs/plan";

type Git = Pick<RolloutsRepository, "read" | "readChanges">;

/** Undefined where the text does not parse: then it says nothing. */
function readText(text: string): readonly string[] | undefined {
  const parsed = parseSettings(text, settingsPath);
  return parsed.ok ? (parsed.value.ledgerSigners ?? []) : undefined;
}

async function readAt(repository: Git, main: string): Promise<readonly string[] | undefined> {
  try {
    const text = await repository.read(main, settingsPath);
    return text === undefined ? [] : readText(text);
  } catch (error) {
    if (error instanceof GitTooLarge) return undefined;
    throw error;
  }
}

/**
 * Who may write the ledger by a commit of main; none = everyone with push access. Where `meshroll.yml` does not parse there, the
 * newest commit before it counts in which it did: a file with an error must not open the ledger to everyone who may push.
 */
export async function readSigners(repository: Git, main: string): Promise<readonly string[]> {
  const found = await readAt(repository, main);
  if (found !== undefined) return found;
  const texts: string[] = [];
  await repository.readChanges(undefined, main, [settingsPath], ({ files }) => {
    const text = files.get(settingsPath);
    if (text !== undefined) texts.push(text);
  });
  for (const text of texts.toReversed()) {
    const signers = readText(text);
    if (signers !== undefined) return signers;
  }
  return [];
}
