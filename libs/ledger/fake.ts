import { createHash } from "node:crypto";

import type { LedgerBranch } from "./port.ts";
import type { SignedContent } from "./signing/judge-signature.ts";

interface FakeCommit {
  readonly parent: string | undefined;
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
  readonly content: SignedContent;
}

/** A branch in memory that several ledgers may share; pushes are fast-forward only, like the real one's. */
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
    async readSignature(commit) {
      const known = commits.get(commit);
      if (known === undefined) throw new Error(`the fake branch has no commit ${commit}`);
      return known.content;
    },
    async commitAndPush({ onto, merging = onto, files, message, author, sign }) {
      if (onto !== head)
        return { kind: "rejected", why: `the branch is at ${head ?? "nothing"}, not at ${onto ?? "nothing"}` };
      const tree = change(commits.get(merging ?? "")?.files, files);
      const content = JSON.stringify([onto, [...tree], commits.size]);
      const payload = Buffer.from(`tree ${content}\nauthor ${author.name} <${author.email}>\n\n${message}`);
      const signed = sign === undefined ? { payload } : { payload, signature: sign(payload) };
      const sha = createHash("sha1").update(JSON.stringify(signed)).digest("hex");
      commits.set(sha, { parent: onto, files: tree, message, content: signed });
      head = sha;
      return { kind: "pushed", sha };
    },
  };
}
