import type { AuditedDoubt } from "../evidence.ts";
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

/** Why a head of the ledger is not to be used; `top`: the newest that was to be. */
function findWhy(repository: RecordedRepository, head: string | undefined, top: string): string | undefined {
  if (head === undefined) return top === "" ? undefined : "the branch was gone";
  const [broken] = listBroken(repository, head);
  if (broken !== undefined) return `${broken} was no JSON`;
  return top === "" || listLine(repository, head).includes(top) ? undefined : `the branch did not contain ${top}`;
}

interface Judged {
  readonly push: RecordedPush;
  /** Absent = the head after it is to be used. */
  readonly why?: string;
}

/** Pushes of the ledger. */
function judgePushes(repository: RecordedRepository): readonly Judged[] {
  let top = "";
  return repository.pushes
    .filter((push) => push.branch === branch)
    .map((push) => {
      const why = findWhy(repository, push.after, top);
      if (why === undefined) top = push.after ?? top;
      return why === undefined ? { push } : { push, why };
    });
}

/** Times in which the branch was gone, was set back, or held a record that is no JSON. */
export function readDoubts(repository: RecordedRepository): readonly AuditedDoubt[] {
  const turns = judgePushes(repository).filter(({ why }, index, all) => index === 0 || why !== all[index - 1]?.why);
  return turns.flatMap(({ push, why }, index) => {
    const end = turns[index + 1]?.push.from;
    return why === undefined ? [] : [{ why, from: push.until, ...(end === undefined ? {} : { until: end }) }];
  });
}
