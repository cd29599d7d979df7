import { loadJq } from "jq-wasm";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** Texts without quotes and compact JSON, for shell scripts. */
const flags = ["-r", "-c"];

/** The first line of jq's message, without its name and places. */
function readWhy(stderr: string): string {
  const [first = ""] = stderr.trim().split("\n");
  return first
    .replace(/^jq: (?:error(?: \(at [^)]*\))?: )?/u, "")
    .replace(/ at <top-level>, line \d+, column \d+:$/u, "");
}

/** `--jq FILTER`. Throws a refusal at once for a filter that jq cannot parse, and later for an object that it does not fit. */
export async function compileFilter(filter: string): Promise<(value: unknown) => string> {
  const jq = await loadJq();
  // With a blank in front, a filter that begins with a minus is not read as a flag.
  const apply = (value: unknown, program: string): string => {
    const { stdout, stderr, exitCode } = jq.raw(value as object, ` ${program}`, flags);
    if (exitCode === 0) return stdout;
    throw new Refusal(exitCodes.usage, `--jq '${filter}': ${readWhy(stderr)}`, "as in  --jq '.items[] | .name'");
  };
  // Parsed without being run: a loop might end only for the real object.
  apply(null, `if false then (${filter}\n) else empty end`);
  return (value) => {
    const text = apply(value, filter);
    return text === "" ? "" : `${text}\n`;
  };
}
