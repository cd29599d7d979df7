import { compilePattern } from "./pattern-check.ts";
import { WholeNameRegex } from "./residue.ts";

/** One pattern that matches whole names, or why it is none. */
export type NamePattern =
  | {
      readonly ok: true;
      readonly matches: (name: string) => boolean;
      /** Size of its compiled program: matching a name costs in proportion to it. */
      readonly steps: number;
    }
  | { readonly ok: false; readonly message: string; readonly help: string };

/** Compiles one pattern of the dialect of `rollouts.yml`, where it stands in another file. */
export function compileNamePattern(pattern: string): NamePattern {
  if (!/^[!-~]{0,256}$/u.test(pattern)) {
    const help = "names of namespaces are small letters, digits and `-`; a pattern has at most 256 characters";
    return { ok: false, message: "it is too long, or has a character that no namespace has", help };
  }
  const read = compilePattern(pattern);
  if (typeof read !== "number") return { ok: false, message: read.message, help: read.help };
  const regex = new WholeNameRegex(pattern);
  return { ok: true, matches: (name) => regex.matches(name), steps: read };
}
