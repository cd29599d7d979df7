import { createHash } from "node:crypto";

import type { ArtifactRefusal } from "#libs/wording";

import { NotInStore } from "../errors.ts";
import { layout } from "../layout.ts";
import type { ArtifactStore, ManifestFile } from "../port.ts";

/** The address of an artifact's file in a store. */
function nameFile({ sha256 }: ManifestFile): string {
  return `${layout.files}/${sha256}`;
}

export type FileSink = (chunk: Uint8Array) => Promise<void>;

/**
 * Reads a file from `done` bytes on, whose hash so far is `hash`, and passes on at most as many bytes as were signed. Returns
 * why it is not the signed file; undefined = it is. Throws `StoreUnavailable`, and what `sink` throws.
 */
export async function receiveFile(
  store: ArtifactStore,
  file: ManifestFile,
  begun: { readonly done: number; readonly hash: ReturnType<typeof createHash> },
  sink: FileSink,
  signal?: AbortSignal,
): Promise<ArtifactRefusal | undefined> {
  const { name, length } = file;
  const { hash } = begun;
  let { done } = begun;
  try {
    for await (const chunk of await store.read(nameFile(file), done, signal)) {
      if (done + chunk.byteLength > length) return { code: "FileTooLong", name, length };
      hash.update(chunk);
      await sink(chunk);
      done += chunk.byteLength;
    }
  } catch (error) {
    if (error instanceof NotInStore) return { code: "FileMissing", name };
    throw error;
  }
  if (done < length) return { code: "FileTooShort", name, length, got: done };
  return hash.digest("hex") === file.sha256 ? undefined : { code: "FileAltered", name };
}

/** Reads all files of an artifact as an agent would, without storing them. */
export async function checkFiles(
  store: ArtifactStore,
  files: readonly ManifestFile[],
): Promise<ArtifactRefusal | undefined> {
  for (const file of files) {
    const refusal = await receiveFile(store, file, { done: 0, hash: createHash("sha256") }, async () => undefined);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
