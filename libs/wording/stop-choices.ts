import { findRunNamed } from "#libs/input";

import type { ResumableStop } from "./resume-command.ts";
import { type Text, writeText } from "./text.ts";

/** A possible action and its effect. */
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

/** `names`: only these workloads of the run, `cluster:namespace/Kind/name`; none = all failed ones. */
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

/** With more names the line would be too long to copy. */
const mostNames = 4;

/** Possible actions for failed workloads of a run, the safest first: to look, to retry these, to roll back. */
export function listFailureWays(run: string, names: readonly string[]): readonly Choice[] {
  const { look, retry, rollback } = nameFailureWays(run, names.length > mostNames ? [] : names);
  return [look, retry, rollback];
}

/** A stop, and further facts about its run. */
interface StoppedRun extends Pick<ResumableStop, "scope" | "cause"> {
  readonly campaign?: string;
  /** Whether workloads failed, so that there is something to look at and to retry. Absent = not known: both are offered. */
  readonly hasFailed?: boolean;
  /** A rollback of it is in force: no choices are left, and the rollback's own stop names the command. */
  readonly isRollingBack?: boolean;
}

function lookAtGate({ campaign, hasFailed }: StoppedRun, look: Choice): readonly Choice[] {
  const status = campaign === undefined ? "meshroll status" : `meshroll status ${campaign}`;
  return [choose(status, "shows what each gate measured, and its limit"), ...(hasFailed === false ? [] : [look])];
}

/**
 * Possible actions for a run that its failures or a gate stopped, the safest first: to look, to roll back, to retry, and then
 * to go on. None for other stops, which one command ends.
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
