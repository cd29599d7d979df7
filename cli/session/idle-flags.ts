import type { Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** When flags of a command have no effect: `flags` are names of its options in commander's form (`exitCode`). */
export interface IdleFlags<Options> {
  readonly flags: readonly string[];
  readonly when: (options: Options, args: readonly string[]) => boolean;
  /** The end of the sentence after the flags: `do nothing with -o sail`. */
  readonly because: string;
  readonly fix?: Sentence;
}

/** Flags that were typed, not set by a variable, a context or a default. */
function listTyped(command: Command, flags: readonly string[]): readonly string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    const isTyped = flags.includes(name) && command.getOptionValueSource(name) === "cli";
    return isTyped ? [option.long ?? option.flags] : [];
  });
}

/** Refuses flags without effect before the command acts, because they would look as if they were obeyed. */
export function refuseIdle<Options extends object>(command: Command, rules: readonly IdleFlags<Options>[]): Command {
  return command.hook("preAction", (_, action) => {
    for (const { flags, when, because, fix } of rules) {
      const typed = listTyped(action, flags);
      if (typed.length === 0 || !when(action.opts<Options>(), action.args)) continue;
      throw new Refusal(exitCodes.usage, `${typed.join(" and ")} ${because}`, ...(fix === undefined ? [] : [fix]));
    }
  });
}
