import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * The time of this build, ISO 8601 without fractions: now, or SOURCE_DATE_EPOCH (seconds since 1970), as in reproducible
 * builds.
 */
export function readBuildTime(env: Terminal["env"]): string {
  const given = env["SOURCE_DATE_EPOCH"];
  if (given !== undefined && !/^\d{1,11}$/.test(given)) {
    throw new Refusal(exitCodes.environment, `SOURCE_DATE_EPOCH: \`${given}\` is not a number of seconds`);
  }
  const at = given === undefined ? Date.now() : Number(given) * 1000;
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
