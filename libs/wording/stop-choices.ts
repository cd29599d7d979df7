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

interface FailureWays {
  readonly look: Choice;
  readonly rollback: Choice;
  readonly retry: Choice;
}

/** `names`: only these of the run, `cluster:namespace/Kind/name`; none = all that failed in it. */
function nameFailureWays(run: string, names: readonly string[] = []): FailureWays {
  const retry = ["meshroll retry", `run/${run}`, ...names, '--reason "…"'].join(" ");
  return {
    look: choose(`meshroll get failures run/${run}`, "shows what failed, where and why; changes nothing"),
    rollback: choose(
      `meshroll rollback run/${run} --reason "…"`,
      "what it moved is rolled back, in batches; a hold stays until a person ends it",
    ),
    retry: choose(
      retry,
      names.length === 0
        ? "once the cause is fixed: tries what failed again, and the run goes on"
        : "once the cause is fixed: tries it again, and the run goes on",
    ),
  };
}

/** More of them make a line that no one copies. */
const mostNames = 4;

/** What a person may do about failed workloads of a run, the safest first: to look, to try these again, to roll the run back. */
export function listFailureWays(run: string, names: readonly string[]): readonly Choice[] {
  const { look, retry, rollback } = nameFailureWays(run, names.length > mostNames ? [] : names);
  return [look, retry, rollback];
}

/** A stop, and what is known of its run besides. */
interface StoppedRun extends Pick<ResumableStop, "scope" | "cause"> {
  readonly campaign?: string;
  /** Workloads of it failed: there is something to look at, and to try again. Absent = not known: both are offered. */
  readonly hasFailed?: boolean;
  /** A rollback of it is in force: nothing is left to choose, and the rollback's own stop names what ends it. */
  readonly isRollingBack?: boolean;
}

function lookAtGate({ campaign, hasFailed }: StoppedRun, look: Choice): readonly Choice[] {
  const status = campaign === undefined ? "meshroll status" : `meshroll status ${campaign}`;
  return [choose(status, "shows what each gate measured, and its limit"), ...(hasFailed === false ? [] : [look])];
}

/**
 * What a person may do about a run that its failures or a gate stopped, the safest first: to look, to roll back, to try again, and
 * only then to go on. None for any other stop: one command ends it.
 */
export function listChoices(stop: StoppedRun): readonly Choice[] {
  const { scope, cause } = stop;
  const run = findRunNamed(scope);
  if (run === undefined || (cause !== "failures" && cause !== "gate")) return [];
  const { look, rollback, retry } = nameFailureWays(run);
  const looks = cause === "gate" ? lookAtGate(stop, look) : [look];
  if (stop.isRollingBack === true) return looks;
  const tries = stop.cause === "gate" && stop.hasFailed === false ? [] : [retry];
  const effect =
    cause === "gate"
      ? "the run goes on, and the gate is measured again"
      : "the run goes on with the rest; what failed stays as it is";
  return [...looks, rollback, ...tries, choose(`meshroll resume run/${run} --reason "…"`, effect)];
}
