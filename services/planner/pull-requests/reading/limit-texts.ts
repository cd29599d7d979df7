import type { SpecTexts } from "#libs/repository";
import { rolloutsPath, settingsPath } from "#libs/plan";
import type { Finding } from "#libs/rollouts";

/** Largest size of a file that a pull request changes, bytes. */
const mostBytes = 64 * 1024;

function refuse(file: string, bytes: number): Finding {
  const message = `the file has ${bytes} bytes; ${mostBytes} (64 KiB) is the most in a pull request`;
  return { code: "MR1015", severity: "error", file, line: 1, column: 1, message, help: `make ${file} smaller` };
}

/**
 * Leaves out changed files that are larger than 64 KiB, with a finding for each. A file that is not changed is main's, and was
 * reviewed.
 */
export function limitTexts(texts: SpecTexts, changed: readonly string[]): SpecTexts {
  const { rollouts, settings, campaigns, refused } = texts;
  const findings: Finding[] = [];

  function isWithin(file: string, text: string | undefined): boolean {
    const bytes = changed.includes(file) && text !== undefined ? Buffer.byteLength(text) : 0;
    if (bytes > mostBytes) findings.push(refuse(file, bytes));
    return bytes <= mostBytes;
  }

  return {
    ...(rollouts !== undefined && isWithin(rolloutsPath, rollouts) && { rollouts }),
    ...(settings !== undefined && isWithin(settingsPath, settings) && { settings }),
    campaigns: Object.fromEntries(Object.entries(campaigns).filter(([file, text]) => isWithin(file, text))),
    refused: [...refused, ...findings],
  };
}
