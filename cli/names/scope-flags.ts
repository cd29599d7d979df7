import type { Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** A scope as flags, for people used to `-n`. */
export interface ScopeFlags {
  readonly cluster?: string;
  readonly namespace?: string;
}

/** `--cluster` and `-n`. */
export function addScopeFlags(command: Command): Command {
  return command
    .option("--cluster <name>", "the same as the scope cluster/NAME")
    .option("-n, --namespace <name>", "the same as the scope namespace/NAME");
}

/** The scope that was typed, as an argument or a flag; undefined without any. Refuses two, because a scope is one place. */
export function chooseScopeText(text: string | undefined, { cluster, namespace }: ScopeFlags): string | undefined {
  const typed = [
    ...(text === undefined ? [] : [text]),
    ...(cluster === undefined ? [] : [`cluster/${cluster}`]),
    ...(namespace === undefined ? [] : [`namespace/${namespace}`]),
  ];
  if (typed.length < 2) return typed[0];
  throw new Refusal(
    exitCodes.usage,
    `${typed.join(" and ")} are ${typed.length} scopes`,
    "give one, and run the command once for each",
  );
}

/** The same, where a scope is required. */
export function requireScopeText(verb: string, text: string | undefined, flags: ScopeFlags): string {
  const scope = chooseScopeText(text, flags);
  if (scope !== undefined) return scope;
  throw new Refusal(exitCodes.usage, `say what to ${verb}`, [
    { command: `meshroll ${verb} all` },
    "  or a campaign's name, run/ID, --cluster NAME, -n NAMESPACE, bucket/PATTERN",
  ]);
}
