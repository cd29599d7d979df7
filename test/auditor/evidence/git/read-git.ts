import { execFileSync } from "node:child_process";

import type { RecordedCommit, RecordedPush, RecordedRepository } from "./recorded-repository.ts";

function git(repository: string, args: readonly string[], input = ""): Buffer {
  return execFileSync("git", ["--git-dir", repository, "-c", "core.quotePath=false", ...args], {
    input,
    stdio: ["pipe", "pipe", "ignore"],
    maxBuffer: 1 << 30,
  });
}

/** A commit whose changes name blob ids and not texts. */
interface RawCommit extends Omit<RecordedCommit, "changes"> {
  readonly blobs: ReadonlyMap<string, string | undefined>;
}

const nothing = /^0+$/u;

/** Parses `git log --raw` with a line `@sha TAB parents TAB author` before each commit's changes. */
function parseLog(log: string): readonly RawCommit[] {
  const sections = log.split("\n@").map((section) => section.replace(/^@/u, ""));
  return sections.flatMap((section) => {
    const [head = "", ...lines] = section.split("\n");
    const [sha = "", parents = "", author = ""] = head.split("\t");
    if (sha === "") return [];
    const [parent = "", merged = ""] = parents.split(" ");
    const changed = lines.flatMap((line) => {
      const [, blob, path] = /^:\d+ \d+ \w+ (\w+) [A-Z]\d*\t(.*)$/u.exec(line) ?? [];
      return blob === undefined || path === undefined ? [] : [[path, nothing.test(blob) ? undefined : blob] as const];
    });
    const known = { ...(parent === "" ? {} : { parent }), ...(merged === "" ? {} : { merged }) };
    return [{ sha, ...known, author, blobs: new Map(changed) }];
  });
}

/** Texts of blobs by their ids. One git process reads them all. */
function readBlobs(repository: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (ids.length === 0) return texts;
  const answer = git(repository, ["cat-file", "--batch"], `${ids.join("\n")}\n`);
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf("\n", at);
    const [id = "", , size = "0"] = answer.toString("utf8", at, end).split(" ");
    const stop = end + 1 + Number(size);
    texts.set(id, answer.toString("utf8", end + 1, stop));
    at = stop + 1;
  }
  return texts;
}

/**
 * Reads the first-parent histories of main and ledger, with heads that a forced push removed (the server's record names them).
 */
export function readGit(repository: string, pushes: readonly RecordedPush[]): RecordedRepository {
  const heads = pushes
    .filter(({ branch }) => branch === "main" || branch === "meshroll/ledger")
    .flatMap(({ after }) => after ?? []);
  const format = ["--format=@%H%x09%P%x09%an", "--raw", "--no-abbrev", "--no-renames", "--root"];
  const walk = ["log", "--stdin", "--first-parent", "--diff-merges=first-parent", ...format];
  const raw = heads.length === 0 ? [] : parseLog(git(repository, walk, `${heads.join("\n")}\n`).toString());
  const ids = raw.flatMap(({ blobs }) => [...blobs.values()]).filter((id) => id !== undefined);
  const texts = readBlobs(repository, [...new Set(ids)]);
  const commits = new Map(
    raw.map(({ blobs, ...facts }) => {
      const changes = new Map([...blobs].map(([path, id]) => [path, id === undefined ? undefined : texts.get(id)]));
      return [facts.sha, { ...facts, changes }] as const;
    }),
  );
  return { pushes, commit: (sha) => commits.get(sha) };
}
