import { loadJq } from "jq-wasm";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** Texts without their quotes, everything else on one line: what a shell script reads. */
const flags = ["-r", "-c"];

/** The first line that jq says, without its own name and without places in a text that was not typed so. */
function readWhy(stderr: string): string {
  const [first = ""] = stderr.trim().split("\n");
  return first
    .replace(/^jq: (?:error(?: \(at [^)]*\))?: )?/u, "")
    .replace(/ at <top-level>, line \d+, column \d+:$/u, "");
}

/**
 * `--jq FILTER`: an object -> what jq makes of it. Throws a refusal for a filter that jq cannot read, before anything is done; what
 * comes of it throws one for an object that the filter does not fit.
 */
export async function compileFilter(filter: string): Promise<(value: unknown) => string> {
  const jq = await loadJq();
  // A filter may begin with a minus: behind a blank it is no flag.
  const apply = (value: unknown, program: string): string => {
    const { stdout, stderr, exitCode } = jq.raw(value as object, ` ${program}`, flags);
    if (exitCode === 0) return stdout;
    throw new Refusal(exitCodes.usage, `--jq '${filter}': ${readWhy(stderr)}`, "as in  --jq '.items[] | .name'");
  };
  // Read, not run: a loop may end for the object alone.
  apply(null, `if false then (${filter}\n) else empty end`);
  return (value) => {
    const text = apply(value, filter);
    return text === "" ? "" : `${text}\n`;
  };
}
