import { createHash } from "node:crypto";

import type { FakeCommit } from "./fake-remote.ts";
import type { SignedContent } from "../port.ts";
import { insertSignature } from "../push/signed-commit.ts";

type Unsigned = Omit<FakeCommit, "sha" | "signature">;

/** The bytes of a commit in the form that git gives them. */
function printPayload({ tree, parents, author, committer = author, at, message }: Unsigned): Buffer {
  const sorted = [...tree].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const id = createHash("sha1").update(JSON.stringify(sorted)).digest("hex");
  const person = (name: string): string => `${name} <${name}@example.org> ${Math.floor(at / 1000)} +0000`;
  const headers = [
    `tree ${id}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person(author)}`,
    `committer ${person(committer)}`,
  ];
  return Buffer.from(`${headers.join("\n")}\n\n${message.trimEnd()}\n`, "utf8");
}

/** The commit as it is added to a remote. */
export function signFake(
  commit: Unsigned,
  sign: ((payload: Uint8Array) => string) | undefined,
): Omit<FakeCommit, "sha"> {
  return sign === undefined ? commit : { ...commit, signature: sign(printPayload(commit)) };
}

/** See `RolloutsRepository.readSignature`. */
export function readFakeSignature(commit: FakeCommit): SignedContent {
  const payload = printPayload(commit);
  return commit.signature === undefined ? { payload } : { payload, signature: commit.signature };
}

/** The commit in the form in which git keeps it, its signature in it. */
export function printFakeCommit(commit: FakeCommit): Buffer {
  const payload = printPayload(commit);
  return commit.signature === undefined ? payload : insertSignature(payload, commit.signature, commit.sha);
}
