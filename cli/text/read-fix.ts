import { AdapterError, AdapterUnavailable } from "#libs/runtime";

/** What an error says, and what a person can do. */
export interface Fault {
  readonly message: string;
  readonly fix?: string;
}

/** The person who typed a command tries again: what a service would do by itself is not told. */
export function readFix(error: Error): Fault {
  if (error instanceof AdapterUnavailable)
    return { message: error.what, fix: error.fix === undefined ? "try it again later" : `look with:  ${error.fix}` };
  if (error instanceof AdapterError)
    return { message: error.what, ...(error.fix === undefined ? {} : { fix: error.fix }) };
  return "help" in error && typeof error.help === "string"
    ? { message: error.message, fix: error.help }
    : { message: error.message };
}
