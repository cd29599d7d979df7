import { parseDuration } from "#libs/campaign";
import { InvalidArgumentError } from "commander";

/** The value of a duration option, as ms: `30s`, `20m`, `1h30m`. */
export function readDurationOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms <= 0) throw new InvalidArgumentError("say it with its unit: 30s, 20m or 3h");
  return ms;
}
