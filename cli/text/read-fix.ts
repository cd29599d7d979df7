import { AdapterError, AdapterUnavailable } from "#libs/runtime";

import { Refusal } from "../terminal/refusal.ts";
import type { Sentence } from "../terminal/sentence.ts";

/** An error's message and its fix, one line each. */
export interface Fault {
  readonly message: string;
  readonly fix: readonly Sentence[];
}

/** Leaves out what a service would do by itself: a person tries again. */
export function readFix(error: Error): Fault {
  if (error instanceof Refusal) return { message: error.message, fix: error.help };
  if (error instanceof AdapterUnavailable) {
    const fix: Sentence = error.fix === undefined ? "try it again later" : ["look with:  ", { command: error.fix }];
    return { message: error.what, fix: [fix] };
  }
  if (error instanceof AdapterError) return { message: error.what, fix: error.fix === undefined ? [] : [error.fix] };
  return { message: error.message, fix: "help" in error && typeof error.help === "string" ? [error.help] : [] };
}
