import { isInstallationId } from "#libs/input";
import { type Command, InvalidArgumentError } from "commander";

/** The value of `--installation`. */
export function readInstallation(text: string): string {
  if (isInstallationId(text)) return text;
  throw new InvalidArgumentError("say the id that meshroll init printed: a small letter and 11 of a-z and 0-9");
}

const help = "the installation on the bus (default: MESHROLL_INSTALLATION, or the only one there)";

/** `--installation`, for every command with `--nats`. */
export function addInstallationOption(command: Command): Command {
  return command.option("--installation <id>", help, readInstallation);
}
