import { parseAllDocuments } from "yaml";

import { applyEdits, listNamespaces, mutateManifests, readManifests } from "#libs/manifests";

import { measureInTurns } from "../measure.ts";

const rounds = 9;

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** What the command does between its input and its output, with a spec of one revision. */
export function mutateBytes(bytes: Uint8Array): Buffer {
  const text = decode(bytes);
  const read = readManifests(text);
  if (!read.ok) throw new Error(read.malformed.message);
  const { edits } = mutateManifests(text, read.pieces, {
    answer: () => ({ kind: "revision", revision: "1-25-2" }),
    namespaces: listNamespaces(read.pieces),
    tags: new Set(),
    stamp: { mutatedAt: "2026-11-24T10:00:00Z" },
    verify: false,
  });
  return Buffer.from(applyEdits(text, edits).join(""));
}

/** The documents decoded and encoded by the YAML library, as a program that changes a field of the tree would. */
export function printByLibrary(bytes: Uint8Array): Buffer {
  return Buffer.from(
    parseAllDocuments(decode(bytes))
      .map((document) => String(document))
      .join(""),
  );
}

type Who = "ours" | "text" | "library";

/** Ns of CPU time for each document; the library gets a tenth of them, as all take it half a minute. */
export function measureInProcess(text: string, documents: number): Readonly<Record<Who, readonly number[]>> {
  const bytes = Buffer.from(text);
  const part = Buffer.from(
    text
      .split(/^---\n/m)
      .slice(0, documents / 10)
      .join("---\n"),
  );
  return measureInTurns(
    {
      ours: { operations: documents, pass: () => mutateBytes(bytes).length },
      text: { operations: documents, pass: () => Buffer.from(decode(bytes)).length },
      library: { operations: documents / 10, pass: () => printByLibrary(part).length },
    },
    rounds,
  );
}
