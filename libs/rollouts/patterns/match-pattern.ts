import { findFault } from "./pattern-check.ts";
import { WholeNameRegex } from "./residue.ts";

/** One pattern that matches whole names, or why it is none. */
export type NamePattern =
  | { readonly ok: true; readonly matches: (name: string) => boolean }
  | { readonly ok: false; readonly message: string; readonly help: string };

/** Compiles one pattern of the dialect of `rollouts.yml`, where it stands in another file. */
export function compileNamePattern(pattern: string): NamePattern {
  if (!/^[!-~]{0,256}$/u.test(pattern)) {
    const help = "names of namespaces are small letters, digits and `-`; a pattern has at most 256 characters";
    return { ok: false, message: "it is too long, or has a character that no namespace has", help };
  }
  const fault = findFault(pattern);
  if (fault !== undefined) return { ok: false, message: fault.message, help: fault.help };
  const regex = new WholeNameRegex(pattern);
  return { ok: true, matches: (name) => regex.matches(name) };
}
