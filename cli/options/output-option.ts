import { type Command, InvalidArgumentError, Option } from "commander";

import { convertedForms, isConverted } from "../session/converted-forms.ts";

export interface OutputOptions<Format extends string> {
  readonly output: Format;
}

/**
 * Declares `-o, --output`; the first format is the default. With JSON there are also YAML, JSONPath and `--jq`, which convert
 * the command's JSON, so that an action never sees them.
 */
export function addOutputOption(command: Command, formats: readonly [string, ...string[]]): Command {
  const all = formats.includes("json") ? [...formats, ...convertedForms] : formats;
  const readFormat = (text: string): string => {
    const isKnown = formats.includes(text) || (formats.includes("json") && isConverted(text));
    if (isKnown) return text;
    throw new InvalidArgumentError(`Allowed choices are ${all.join(", ")}.`);
  };
  const option = new Option("-o, --output <format>", "how to print").choices(all).argParser(readFormat);
  command.addOption(option.default(formats[0]));
  return formats.includes("json") ? command.option("--jq <filter>", "filter -o json with this jq expression") : command;
}
