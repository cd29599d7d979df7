import type { Command, Option } from "commander";

import type { Terminal } from "../terminal/terminal.ts";
import { findBus } from "../read/with-bus.ts";
import { gatherKnown, offerValues, readCampaigns, readStatusSoon } from "./known-values.ts";
import { findKind, type ValueKind } from "./value-kinds.ts";

/** The position in a line at which the shell asks for completions. */
interface Place {
  readonly kind: ValueKind | undefined;
  /** Choices in the command table. */
  readonly choices: readonly string[];
  /** Arguments typed before it. */
  readonly operands: readonly string[];
}

interface Typed {
  readonly operands: readonly string[];
  /** The option whose value is expected. */
  readonly open: Option | undefined;
}

/** Reads the words between the command and the cursor; values of options are not arguments. */
function readWords({ options }: Command, before: readonly string[]): Typed {
  const operands: string[] = [];
  let open: Option | undefined;
  for (const word of before) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    const option = options.find(({ short, long }) => [short, long].includes(word));
    if (option === undefined && !word.startsWith("-")) operands.push(word);
    if (option?.required === true || option?.optional === true) open = option;
  }
  return { operands, open };
}

function findPlace(command: Command, before: readonly string[]): Place {
  const { operands, open } = readWords(command, before);
  const argument = command.registeredArguments[operands.length];
  const place = open === undefined ? argument?.name() : open.long;
  return { kind: findKind(command.name(), place ?? ""), choices: (open ?? argument)?.argChoices ?? [], operands };
}

function readOption(words: readonly string[], flag: string): string | undefined {
  const at = words.indexOf(flag);
  return at < 0 ? undefined : words[at + 1];
}

/** bash expands completions, so a name from a file with other characters could run a command. */
const harmless = /^[\w./=-]+$/u;

/** Completions for the last of the words after `meshroll`; none where they are not known at once. */
export async function completeLine(
  words: readonly string[],
  declare: (name: string) => Promise<Command | undefined>,
  terminal: Terminal,
): Promise<readonly string[]> {
  const [name = "", ...rest] = words;
  const command = await declare(name);
  if (command === undefined || rest.length === 0) return [];
  const [before, typed] = [rest.slice(0, -1), rest.at(-1) ?? ""];
  const { kind, choices, operands } = findPlace(command, before);
  if (kind === undefined) return choices.filter((value) => value.startsWith(typed));
  const [nats, installation] = [readOption(before, "--nats"), readOption(before, "--installation")];
  const named = { ...(nats === undefined ? {} : { nats }), ...(installation === undefined ? {} : { installation }) };
  const bus = findBus(named, terminal);
  const status = bus === undefined ? undefined : await readStatusSoon(bus);
  const values = offerValues(kind, gatherKnown(readCampaigns(terminal.cwd), status), operands[0]);
  return values.filter((value) => value.startsWith(typed) && harmless.test(value));
}
