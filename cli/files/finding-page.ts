import { readFileSync } from "node:fs";

/** Pages that describe findings, each under a heading `## MR1004 ...`. */
const pages = ["findings.md", "meshroll-yml.md", "doctor.md"];

/** The section of a finding's code; undefined for a code without one. */
function findSection(page: string, code: string): string | undefined {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => /^#{2,3} /.test(line) && line.replace(/^#+ +`?/, "").startsWith(code));
  const heading = lines[start];
  if (heading === undefined) return undefined;
  const rank = heading.indexOf(" ");
  const length = lines.slice(start + 1).findIndex((line) => /^#{1,6} /.test(line) && line.indexOf(" ") <= rank);
  const section = length === -1 ? lines.slice(start) : lines.slice(start, start + 1 + length);
  return `${section.join("\n").trimEnd()}\n`;
}

function readPage(page: string): string {
  return readFileSync(new URL(`../../docs/reference/${page}`, import.meta.url), "utf8");
}

/** Markdown as plain text: of a link its words. */
function strip(cell: string): string {
  return cell
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll("`", "")
    .trim();
}

/** The documentation of a wait's code, as in column NEXT and in `waiting` of the status. Undefined for an unknown code. */
export function readWaitPage(code: string): string | undefined {
  for (const line of readPage("status.md").split("\n")) {
    const [codes = "", meaning, fix] = line.split(/(?<!\\)\|/u).slice(1, -1);
    if (meaning === undefined || fix === undefined || !codes.includes(`\`${code}\``)) continue;
    return `${code}\n\n${strip(meaning)}\n\nWhat to do: ${strip(fix)}\n`;
  }
  return undefined;
}

/** The section about a code in the bundled documentation; works offline. */
export function readFindingPage(code: string): string | undefined {
  for (const page of pages) {
    const section = findSection(readPage(page), code);
    if (section !== undefined) return section;
  }
  return undefined;
}
