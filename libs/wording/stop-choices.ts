import { findRunNamed } from "#libs/input";

import type { ResumableStop } from "./resume-command.ts";
import { type Text, writeText } from "./text.ts";

/** One thing that a person may do, and what it does. */
export interface Choice {
  readonly command: string;
  readonly effect: Text;
}

function choose(command: string, effect: string): Choice {
  return { command, effect: writeText(effect) };
}

/**
 * What a person may do about a run that its failures or a gate stopped, the safest first: to look, to roll back, to try again, and
 * only then to go on. None for any other stop: one command ends it.
 */
export function listChoices({ scope, cause }: Pick<ResumableStop, "scope" | "cause">): readonly Choice[] {
  const run = findRunNamed(scope);
  if (run === undefined || (cause !== "failures" && cause !== "gate")) return [];
  const rollback = choose(
    `meshroll rollback run/${run} --reason "…"`,
    "what it moved is rolled back, in batches; a hold stays until a person ends it",
  );
  const resume = `meshroll resume run/${run} --reason "…"`;
  if (cause === "gate")
    return [
      choose("meshroll status", "shows what each gate measured, and its limit"),
      rollback,
      choose(resume, "the run goes on, and the gate is measured again"),
    ];
  return [
    choose(`meshroll get failures run/${run}`, "shows what failed, where and why; changes nothing"),
    rollback,
    choose(
      `meshroll retry run/${run} --reason "…"`,
      "once the cause is fixed: tries what failed again, and the run goes on",
    ),
    choose(resume, "the run goes on with the rest; what failed stays as it is"),
  ];
}

/** Causes of stops that meshroll places without being asked. */
const ownCauses: readonly string[] = ["failures", "gate", "jobFailed", "forcedPush", "otherCluster"];

/** No person asked for it: who ends it is shown first what moves then. */
export function isPlacedByMeshroll({ cause }: { readonly cause?: string }): boolean {
  return cause !== undefined && ownCauses.includes(cause);
}

/**
 * The stops that a resume of a scope ends, of those in force on it: what its caller placed; where that is none, what other people
 * placed; and only where that is none either, what meshroll placed.
 */
export function chooseResumed<T extends { readonly who: string; readonly cause?: string }>(
  stops: readonly T[],
  who: string,
): readonly T[] {
  const people = stops.filter((stop) => !isPlacedByMeshroll(stop));
  const own = people.filter((stop) => stop.who === who);
  if (own.length > 0) return own;
  return people.length > 0 ? people : stops;
}
