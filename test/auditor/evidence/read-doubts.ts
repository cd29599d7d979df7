import type { AuditedDoubt } from "./evidence.ts";
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

/** Why the head after a push is not to be gone by; `top` is the newest that was. */
function findWhy(repository: RecordedRepository, after: string | undefined, top: string): string | undefined {
  if (after === undefined) return "the branch was gone";
  const [broken] = listBroken(repository, after);
  if (broken !== undefined) return `${broken} was no JSON`;
  return top === "" || listLine(repository, after).includes(top) ? undefined : `the branch did not contain ${top}`;
}

/** Times in which the branch was gone, was set back, or held a record that is no JSON. */
export function readDoubts(repository: RecordedRepository): readonly AuditedDoubt[] {
  const pushes = repository.pushes.filter((push) => push.branch === branch);
  const doubts: AuditedDoubt[] = [];
  let top = "";
  const endOf = (next: RecordedPush | undefined): object => (next === undefined ? {} : { until: next.from });
  pushes.forEach((push, index) => {
    const why = findWhy(repository, push.after, top);
    if (why === undefined) top = push.after ?? top;
    else doubts.push({ why, from: push.until, ...endOf(pushes[index + 1]) });
  });
  return doubts;
}
