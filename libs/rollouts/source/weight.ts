import { isScalar } from "yaml";
import { quoteText } from "./source.ts";

export type ReadWeight =
  | { readonly ok: true; readonly weight: number }
  | { readonly ok: false; readonly code: "MR1005" | "MR1018"; readonly message: string; readonly help: string };

const HELP = "write a whole number from 0 to 100, as plain digits";

interface Reason {
  readonly message: string;
  readonly help?: string;
}

/** Says why a plain value is not a whole percentage; the first that fits. */
const REASONS: readonly (Reason & { readonly when: RegExp })[] = [
  { when: /^-/u, message: "is below 0" },
  { when: /^0[0-9]+$/u, message: "has a leading zero, which some readers take as octal" },
  { when: /^[0-9]+$/u, message: "is more than 100" },
  { when: /^[0-9]+\s*%$/u, message: "has a percent sign", help: "leave out the percent sign" },
  { when: /^[0-9]*\.[0-9]*$/u, message: "is not a whole number" },
];

/** True for a weight that a share may have. */
export function isWeight(weight: number): boolean {
  return Number.isInteger(weight) && weight >= 0 && weight <= 100;
}

const OTHER: Reason = { message: "is not a whole percentage" };

/**
 * A share's value in percent. Only plain decimal digits: `1e2`, `0x64`, `0o144`, `100.0` and `"100"` are read differently by
 * different YAML readers, and this number decides who moves.
 */
export function readWeight(value: unknown, revision: string): ReadWeight {
  if (value === null || value === undefined) return refuseMissing(revision);
  if (!isScalar(value)) return refuseNested(revision);
  const source = value.source ?? "";
  if (value.type?.startsWith("BLOCK") === true) return refuse("block text (`|`, `>`) is not a percentage", HELP);
  if (value.type !== "PLAIN")
    return refuse(`${quoteText(source)} in quotes is text, not a percentage`, "leave out the quotes");
  return source === "" ? refuseMissing(revision) : readDigits(source);
}

function readDigits(source: string): ReadWeight {
  if (/^(?:0|[1-9][0-9]?|100)$/u.test(source)) return { ok: true, weight: Number(source) };
  const reason = REASONS.find(({ when }) => when.test(source)) ?? OTHER;
  return refuse(`${quoteText(source)} ${reason.message}`, reason.help ?? HELP);
}

function refuseMissing(revision: string): ReadWeight {
  return refuse(`revision ${quoteText(revision)} has no percentage`, HELP);
}

function refuse(message: string, help: string): ReadWeight {
  return { ok: false, code: "MR1005", message, help };
}

function refuseNested(revision: string): ReadWeight {
  const message = `revision ${quoteText(revision)} has a map or a list instead of a percentage`;
  return { ok: false, code: "MR1018", message, help: "a bucket holds revisions, a revision holds one whole number" };
}
