import { readFileSync } from "node:fs";

/** Pages that describe findings, each under a heading `## MR1004 ...`. */
const pages = ["findings.md", "meshroll-yml.md", "doctor.md"];

/** The section of a finding's code, from its heading to the next one of its rank; undefined for a code that has none. */
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

/** What the documentation that came with this meshroll says of a code; works offline. */
export function readFindingPage(code: string): string | undefined {
  for (const page of pages) {
    const text = readFileSync(new URL(`../../docs/reference/${page}`, import.meta.url), "utf8");
    const section = findSection(text, code);
    if (section !== undefined) return section;
  }
  return undefined;
}
