import type { AuditedDoubt } from "../evidence.ts";
import { isSigned, readSigners } from "./read-signatures.ts";
import type { RecordedPush, RecordedRepository } from "./recorded-repository.ts";

const branch = "meshroll/ledger";
const records = /^(?:heads|baseline|(?:runs|stops|asks)\/.+\.json)$/u;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** First parents of a commit, itself included, newest first. */
function listLine(repository: RecordedRepository, head: string): readonly string[] {
  const line: string[] = [];
  for (let sha: string | undefined = head; sha !== undefined; sha = repository.commit(sha)?.parent) line.push(sha);
  return line;
}

/** Records of the tree at a commit that are no JSON. */
function listBroken(repository: RecordedRepository, head: string): readonly string[] {
  const broken = new Set<string>();
  for (const sha of listLine(repository, head).toReversed()) {
    for (const [path, text] of repository.commit(sha)?.changes ?? []) {
      if (records.test(path) && text !== undefined && !isJson(text)) broken.add(path);
      else broken.delete(path);
    }
  }
  return [...broken];
}

/** `meshroll.yml` as a head of main has it. */
function findSettings(repository: RecordedRepository, head: string): string | undefined {
  for (const sha of listLine(repository, head)) {
    const changes = repository.commit(sha)?.changes;
    if (changes?.has("meshroll.yml") === true) return changes.get("meshroll.yml");
  }
  return undefined;
}

/** What is known of both branches after a push. */
interface LedgerView {
  readonly ledger: string | undefined;
  readonly signers: readonly string[];
  /** The newest head of the ledger that was to be used. */
  readonly top: string;
}

/** Why the ledger's head is not to be used. */
function findWhy(repository: RecordedRepository, { ledger, signers, top }: LedgerView): string | undefined {
  if (ledger === undefined) return top === "" ? undefined : "the branch was gone";
  const [broken] = listBroken(repository, ledger);
  if (broken !== undefined) return `${broken} was no JSON`;
  if (top !== "" && !listLine(repository, ledger).includes(top)) return `the branch did not contain ${top}`;
  const raw = repository.commit(ledger)?.raw;
  const isMissing = signers.length > 0 && (raw === undefined || !isSigned(raw(), signers));
  return isMissing ? `no key that main named had signed ${ledger}` : undefined;
}

function look(repository: RecordedRepository, before: LedgerView, { branch: moved, after }: RecordedPush): LedgerView {
  if (moved === branch) return { ...before, ledger: after };
  const settings = after === undefined ? undefined : findSettings(repository, after);
  return { ...before, signers: readSigners(settings) ?? before.signers };
}

interface Judged {
  readonly push: RecordedPush;
  /** Absent = the head after it is to be used. */
  readonly why?: string;
}

/** Pushes that changed the ledger's head, or who may sign it. */
function judgePushes(repository: RecordedRepository): readonly Judged[] {
  const judged: Judged[] = [];
  let view: LedgerView = { ledger: undefined, signers: [], top: "" };
  for (const push of repository.pushes.filter((each) => each.branch === branch || each.branch === "main")) {
    const seen = look(repository, view, push);
    const isSame = seen.ledger === view.ledger && seen.signers.join() === view.signers.join();
    view = seen;
    if (isSame) continue;
    const why = findWhy(repository, seen);
    if (why === undefined) view = { ...seen, top: seen.ledger ?? seen.top };
    judged.push(why === undefined ? { push } : { push, why });
  }
  return judged;
}

/** Times in which the branch was gone, was set back, held a record that is no JSON, or had a head that no signer had signed. */
export function readDoubts(repository: RecordedRepository): readonly AuditedDoubt[] {
  const turns = judgePushes(repository).filter(({ why }, index, all) => index === 0 || why !== all[index - 1]?.why);
  return turns.flatMap(({ push, why }, index) => {
    const end = turns[index + 1]?.push.from;
    return why === undefined ? [] : [{ why, from: push.until, ...(end === undefined ? {} : { until: end }) }];
  });
}
