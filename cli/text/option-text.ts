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

/** A value as a person types it. Nothing is said of flags without a value, and of defaults that only a program knows. */
function printDefault(value: unknown, described: string | undefined): string | undefined {
  if (described !== undefined) return described;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What the help says of an option: its values and its default as people type them, and not as JavaScript. */
export function optionDescription(option: Option): string {
  const { required, optional, defaultValue, defaultValueDescription } = option;
  return join(option, required || optional ? printDefault(defaultValue, defaultValueDescription) : undefined);
}

/** The same of an argument. */
export function argumentDescription(argument: Argument): string {
  return join(argument, printDefault(argument.defaultValue, argument.defaultValueDescription));
}
