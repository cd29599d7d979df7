import { lookUp } from "#libs/input";
import type { SpecTexts } from "#libs/repository";
import { rolloutsPath, settingsPath } from "#libs/plan";
import type { Finding } from "#libs/rollouts";

/** How many bytes a pull request may add to one file. */
const mostAdded = 64 * 1024;

/** Sizes of main's files, by path, bytes: their content was reviewed. Absent = main does not have the file. */
export type ReviewedBytes = ReadonlyMap<string, number>;

function findText({ rollouts, settings, campaigns }: SpecTexts, file: string): string | undefined {
  if (file === rolloutsPath) return rollouts;
  return file === settingsPath ? settings : lookUp(campaigns, file);
}

/** The changed files that are larger than 64 KiB: only for these the size on main is needed. */
export function listLarge(texts: SpecTexts, changed: readonly string[]): readonly string[] {
  return changed.filter((file) => Buffer.byteLength(findText(texts, file) ?? "") > mostAdded);
}

function refuse(file: string, bytes: number, most: number): Finding {
  const message = `the file has ${bytes} bytes; ${most} is the most in a pull request, 64 KiB more than main has`;
  return { code: "MR1015", severity: "error", file, line: 1, column: 1, message, help: `make ${file} smaller` };
}

/**
 * Leaves out changed files that are more than 64 KiB larger than main's, with a finding for each. A file that is not changed is
 * main's, and was reviewed.
 */
export function limitTexts(texts: SpecTexts, changed: readonly string[], reviewed: ReviewedBytes): SpecTexts {
  const findings = listLarge(texts, changed).flatMap((file) => {
    const bytes = Buffer.byteLength(findText(texts, file) ?? "");
    const most = mostAdded + (reviewed.get(file) ?? 0);
    return bytes > most ? [refuse(file, bytes, most)] : [];
  });
  const refused = new Set(findings.map(({ file }) => file));
  const { rollouts, settings, campaigns } = texts;
  return {
    ...(rollouts !== undefined && !refused.has(rolloutsPath) && { rollouts }),
    ...(settings !== undefined && !refused.has(settingsPath) && { settings }),
    campaigns: Object.fromEntries(Object.entries(campaigns).filter(([file]) => !refused.has(file))),
    refused: [...texts.refused, ...findings],
  };
}
