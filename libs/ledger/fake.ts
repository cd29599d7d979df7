import { createHash } from "node:crypto";

import type { LedgerBranch } from "./port.ts";

interface FakeCommit {
  readonly parent: string | undefined;
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
}

/** A branch in memory that several ledgers may share; like the real one it takes only fast-forward pushes. */
export interface FakeLedgerBranch extends LedgerBranch {
  head(): string | undefined;
  messages(): readonly string[];
}

function change(before: FakeCommit["files"] | undefined, files: Readonly<Record<string, string | null>>) {
  const tree = new Map(before ?? []);
  for (const [path, content] of Object.entries(files)) {
    if (content === null) tree.delete(path);
    else tree.set(path, content);
  }
  return tree;
}

export function createFakeLedgerBranch(): FakeLedgerBranch {
  const commits = new Map<string, FakeCommit>();
  let head: string | undefined;

  return {
    head: () => head,
    messages() {
      const found: string[] = [];
      for (let at = head; at !== undefined; at = commits.get(at)?.parent) found.unshift(commits.get(at)?.message ?? "");
      return found;
    },
    async readTree(commit, paths, known = () => false) {
      const files = [...(commits.get(commit)?.files ?? [])].filter(([path]) =>
        paths.some((each) => path === each || path.startsWith(`${each}/`)),
      );
      return files.map(([path, text]) => {
        const file = { path, id: createHash("sha1").update(text).digest("hex") };
        return known(file) ? file : { ...file, text };
      });
    },
    async commitAndPush({ onto, files, message, author }) {
      if (onto !== head)
        return { kind: "rejected", why: `the branch is at ${head ?? "nothing"}, not at ${onto ?? "nothing"}` };
      const tree = change(commits.get(onto ?? "")?.files, files);
      const content = JSON.stringify([onto, [...tree], commits.size, author, message]);
      const sha = createHash("sha1").update(content).digest("hex");
      commits.set(sha, { parent: onto, files: tree, message });
      head = sha;
      return { kind: "pushed", sha };
    },
  };
}
