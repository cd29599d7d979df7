import type { Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** When flags of a command would do nothing: `flags` are names of its options, as commander has them (`exitCode`). */
export interface IdleFlags<Options> {
  readonly flags: readonly string[];
  readonly when: (options: Options, args: readonly string[]) => boolean;
  /** Ends the sentence that begins with the flags: `do nothing with -o sail`. */
  readonly because: string;
  readonly fix?: Sentence;
}

/** Typed, not set by a variable, a context or a default: only who typed a flag believes in it. */
function listTyped(command: Command, flags: readonly string[]): readonly string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    const isTyped = flags.includes(name) && command.getOptionValueSource(name) === "cli";
    return isTyped ? [option.long ?? option.flags] : [];
  });
}

/** Refuses flags that would do nothing before the command does anything: one that is ignored looks like one that was heeded. */
export function refuseIdle<Options extends object>(command: Command, rules: readonly IdleFlags<Options>[]): Command {
  return command.hook("preAction", (_, action) => {
    for (const { flags, when, because, fix } of rules) {
      const typed = listTyped(action, flags);
      if (typed.length === 0 || !when(action.opts<Options>(), action.args)) continue;
      throw new Refusal(exitCodes.usage, `${typed.join(" and ")} ${because}`, ...(fix === undefined ? [] : [fix]));
    }
  });
}
