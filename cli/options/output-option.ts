import { type Command, Option } from "commander";

export interface OutputOptions<Format extends string> {
  readonly output: Format;
}

/** Declares `-o, --output`, the first format being the default. */
export function addOutputOption(command: Command, formats: readonly [string, ...string[]]): Command {
  return command.addOption(new Option("-o, --output <format>", "how to print").choices(formats).default(formats[0]));
}
