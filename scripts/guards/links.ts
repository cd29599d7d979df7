import { posix } from "node:path";
import type { Complaint } from "./complaint.ts";

const link = /\]\(([^)\s]+)\)/g;

/** Path that a link points to, relative to the root; undefined for a URL or an anchor in the same file. */
function resolveLink(path: string, target: string): string | undefined {
  if (/^[a-z]+:|^#/.test(target)) return undefined;
  const file = target.split("#")[0] ?? "";
  return posix.join(posix.dirname(path), file).replace(/\/$/, "");
}

/** Complains about each relative link of a document whose file or folder does not exist. */
export function checkLinks(path: string, text: string, paths: readonly string[]): readonly Complaint[] {
  if (!path.endsWith(".md") || path.startsWith("test/fixtures/")) return [];
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(link)]
      .map((match) => ({ written: match[1] ?? "", file: resolveLink(path, match[1] ?? "") }))
      .filter(({ file }) => file !== undefined && !paths.some((each) => each === file || each.startsWith(`${file}/`)))
      .map(({ written }) => ({ path, line: index + 1, message: `the link to ${written} leads nowhere` })),
  );
}
