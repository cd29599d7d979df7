import { GitOverLimit } from "../errors.ts";
import type { SignedContent } from "../port.ts";
import type { ProcessLimits } from "../process/process-limits.ts";
import type { CatFile } from "../process/run-git.ts";

/** The bytes of a header as git keeps more than one line in it: each further line begins with a blank. */
function printHeader(name: string, signature: string): Buffer {
  return Buffer.from(`${name} ${signature.replaceAll("\n", "\n ")}\n`, "latin1");
}

/** Where the headers end: the empty line before the message. */
function findMessage(commit: Buffer): number {
  const at = commit.indexOf("\n\n");
  return at < 0 ? commit.length : at + 1;
}

/** As git itself signs: the last of the headers. `commit`: the id of the payload, whose length tells the repository's hash. */
export function insertSignature(payload: Buffer, signature: string, commit: string): Buffer {
  const at = findMessage(payload);
  const name = commit.length === 64 ? "gpgsig-sha256" : "gpgsig";
  return Buffer.concat([payload.subarray(0, at), printHeader(name, signature), payload.subarray(at)]);
}

/** Headers as they are, each with its further lines. */
function listHeaders(text: string): readonly string[] {
  return text.match(/[^\n]*\n(?: [^\n]*\n)*/gu) ?? [];
}

const header = /^gpgsig(?:-sha256)? /u;

/** Takes the signature out. One byte is one character here, for a name may be in any encoding. */
export function splitSignature(commit: Buffer): SignedContent {
  const at = findMessage(commit);
  const headers = listHeaders(commit.toString("latin1", 0, at));
  const signatures = headers.filter((each) => header.test(each));
  const rest = Buffer.from(headers.filter((each) => !header.test(each)).join(""), "latin1");
  const payload = Buffer.concat([rest, commit.subarray(at)]);
  const [first] = signatures;
  if (first === undefined || signatures.length > 1) return { payload };
  const text = first.slice(first.indexOf(" ") + 1).trimEnd();
  return { payload, signature: text.replaceAll("\n ", "\n") };
}

/** See `RolloutsRepository.readSignature`. A pusher can make a commit of any size: git ends at `limits`. */
export async function readSignature(catFile: CatFile, commit: string, limits: ProcessLimits): Promise<SignedContent> {
  try {
    return splitSignature(await catFile(["commit", commit], { limits }));
  } catch (error) {
    if (!(error instanceof GitOverLimit)) throw error;
    return { payload: Buffer.alloc(0), unread: error.message };
  }
}
