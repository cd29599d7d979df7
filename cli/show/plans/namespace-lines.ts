import { findNamed } from "#libs/input";
import type { Readable } from "node:stream";

/** One line of the input: a namespace's name, or an invalid text. Lines count from 1. */
export type NamespaceLine =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly line: number; readonly text: string };

/** A name has at most 63 characters; the rest of a longer line is not kept. */
const mostKept = 4096;

/** True for a name that Kubernetes accepts for a namespace (an RFC 1123 label). */
export function isNamespaceName(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

function judgeLine(text: string, line: number): NamespaceLine | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  // `kubectl get namespaces -o name` prints the kind before each name.
  const name = findNamed("namespace", trimmed) ?? trimmed;
  return isNamespaceName(name) ? { ok: true, name } : { ok: false, line, text: trimmed.slice(0, 100) };
}

/** Reads namespaces from a stream, one per line; each yielded list is one chunk's lines. Empty lines are skipped. */
export async function* readNamespaceLines(stream: Readable): AsyncGenerator<readonly NamespaceLine[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(Buffer.from(chunk), { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(0, mostKept);
    yield lines.flatMap((text) => judgeLine(text, ++line) ?? []);
  }
  const last = judgeLine(rest + decoder.decode(), ++line);
  if (last !== undefined) yield [last];
}
