import type { Argument, Option } from "commander";

interface Described {
  readonly description: string;
  readonly argChoices?: readonly string[];
}

function join({ description, argChoices = [] }: Described, byDefault: string | undefined): string {
  const notes = [
    ...(argChoices.length === 0 ? [] : [argChoices.join(", ")]),
    ...(byDefault === undefined ? [] : [`default: ${byDefault}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

/** A default value as it is typed. Empty for flags without a value, and for internal defaults. */
function printDefault(value: unknown, described: string | undefined): string | undefined {
  if (described !== undefined) return described;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The help text of an option, with its values and default as they are typed. */
export function optionDescription(option: Option): string {
  const { required, optional, defaultValue, defaultValueDescription } = option;
  return join(option, required || optional ? printDefault(defaultValue, defaultValueDescription) : undefined);
}

/** The same for an argument. */
export function argumentDescription(argument: Argument): string {
  return join(argument, printDefault(argument.defaultValue, argument.defaultValueDescription));
}
