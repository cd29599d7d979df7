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
  readonly retry: Choice;
  readonly rollback: Choice;
}

/** `names`: only these workloads of the run, `cluster:namespace/Kind/name`; none = all failed ones. */
function nameFailureWays(run: string, names: readonly string[] = []): FailureWays {
  const retry = ["meshroll retry", `run/${run}`, ...names, '--reason "…"'].join(" ");
  return {
    look: choose(`meshroll get failures run/${run}`, "lists the failed workloads and why each failed; changes nothing"),
    retry: choose(
      retry,
      names.length === 0
        ? "once the cause is fixed: tries the failed workloads again, and the run continues"
        : "once the cause is fixed: tries it again, and the run continues",
    ),
    rollback: choose(
      `meshroll rollback run/${run} --reason "…"`,
      "rolls back all workloads that it moved, in batches; the bucket then stays on hold until a person runs unhold",
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

function lookAtGate({ scope, campaign, hasFailed }: StoppedRun, look: Choice): readonly Choice[] {
  const status = campaign === undefined ? `meshroll describe ${scope}` : `meshroll status ${campaign}`;
  return [choose(status, "shows what each gate measured, and its limit"), ...(hasFailed === false ? [] : [look])];
}

/** The meaning of a resume: the failures so far are accepted, and more of the fleet moves. */
function explainResume({ cause, hasFailed }: StoppedRun): string {
  const rest =
    hasFailed === false
      ? "accepts the gate's verdict: the run continues"
      : "accepts these failures: failed workloads stay on the old revision, and the run continues with the others";
  return cause === "gate" ? `${rest}; the gate is measured again from now on` : rest;
}

/**
 * Possible actions for a run that its failures or a gate stopped, in the same order everywhere: to look, to retry once the cause
 * is fixed, to roll back, and last to continue without either. None for other stops, which one command ends.
 */
export function listChoices(stop: StoppedRun): readonly Choice[] {
  const { scope, cause } = stop;
  const run = findRunNamed(scope);
  if (run === undefined || (cause !== "failures" && cause !== "gate")) return [];
  const { look, retry, rollback } = nameFailureWays(run);
  const looks = cause === "gate" ? lookAtGate(stop, look) : [look];
  if (stop.isRollingBack === true) return looks;
  const tries = stop.cause === "gate" && stop.hasFailed === false ? [] : [retry];
  const resume = choose(`meshroll resume run/${run} --reason "…"`, explainResume(stop));
  return [...looks, ...tries, rollback, resume];
}
