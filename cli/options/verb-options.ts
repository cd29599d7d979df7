import { type Command, InvalidArgumentError, Option } from "commander";

import { addInstallationOption } from "./installation-option.ts";
import { addOutputOption } from "./output-option.ts";
import { readDurationOption } from "../text/duration-option.ts";

/** Options of every command that changes something. */
export interface VerbOptions {
  readonly nats?: string;
  readonly installation?: string;
  readonly reason: string;
  /** Real ms. */
  readonly timeout: number;
  readonly dryRun?: boolean;
  /** Accepted by every verb, so that scripts need not know which ones ask. */
  readonly yes?: boolean;
  readonly output: "human" | "json";
}

/** The limit of the ledger and of ConfigMaps. */
const longestReason = 500;

/** One line: with a line end a reason could add an `Actor:` to the ledger's history. */
function readReason(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  if (line === "") throw new InvalidArgumentError("give a short reason: it is recorded in the ledger");
  if (line.length > longestReason) throw new InvalidArgumentError(`it is longer than ${longestReason} characters`);
  return line;
}

/** `--reason`, which is required. */
export function addReasonOption(command: Command): Command {
  return command.requiredOption("--reason <text>", "reason, recorded in the ledger", readReason);
}

/** `--reason`, `--nats`, `--timeout`, `--dry-run`, `-y` and `-o`, for all verbs; `waitsFor` is what the timeout is for. */
export function addVerbOptions(command: Command, waitsFor: string): Command {
  const timeout = new Option("--timeout <duration>", `how long to wait ${waitsFor}`);
  return addInstallationOption(addReasonOption(addOutputOption(command, ["human", "json"])))
    .option("--nats <url>", "bus of the planner (default: MESHROLL_NATS_URL)")
    .addOption(timeout.argParser(readDurationOption).default(15_000, "15s"))
    .option("--dry-run", "show what would be requested, and change nothing")
    .option("-y, --yes", "do not ask for confirmation");
}
