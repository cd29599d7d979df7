import { createHash } from "node:crypto";

import { compileTexts, type SpecTexts } from "#libs/repository";
import { judgePullRequest, type MergedFiles, rolloutsPath, settingsPath, type Snapshot } from "#libs/plan";
import { type PullRequestVerdict, renderVerdict } from "#libs/wording";

import type { JudgeQuestion, ReadPull } from "./port.ts";

/** Most compiled files that are kept: a head is judged again with the same texts, and each may be megabytes. */
const mostKept = 16;

/** A short id of a text: the same text has the same one. */
export function digest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** Texts by path: findings refer to their lines. */
function listTexts({ rollouts, settings, campaigns }: SpecTexts): Readonly<Record<string, string>> {
  return {
    ...campaigns,
    ...(rollouts === undefined ? {} : { [rolloutsPath]: rollouts }),
    ...(settings === undefined ? {} : { [settingsPath]: settings }),
  };
}

/** Compiles what a pull request would leave. The texts are untrusted: too large, too slow or wrong. @internal */
export function mergeFiles(head: string, read: ReadPull): MergedFiles {
  if (read.kind !== "files") return read;
  const { texts, campaigns, changed } = read;
  return { kind: "files", compiled: compileTexts(head, texts), texts: listTexts(texts), campaigns, changed };
}

/** Judges questions; pure but for a cache, so it can run in any process. */
export function createAnswerer(): (snapshot: Snapshot, question: JudgeQuestion) => PullRequestVerdict {
  const known = new Map<string, MergedFiles>();

  function merge(head: string, read: ReadPull): MergedFiles {
    const key = `${head} ${digest(JSON.stringify(read))}`;
    const merged = known.get(key) ?? mergeFiles(head, read);
    known.delete(key);
    known.set(key, merged);
    for (const oldest of known.keys()) {
      if (known.size <= mostKept) break;
      known.delete(oldest);
    }
    return merged;
  }

  return (snapshot, { read, earlier, ...question }) => {
    const { headSha } = question.pull;
    const mergedBefore = earlier.map(({ approvedAt, commit, main, read: then }) => ({
      approvedAt,
      main: compileTexts(commit, main),
      merged: merge(headSha, then),
    }));
    const merged = merge(headSha, read);
    return renderVerdict(judgePullRequest({ ...question, merged, earlier: mergedBefore, snapshot, digest }));
  };
}
