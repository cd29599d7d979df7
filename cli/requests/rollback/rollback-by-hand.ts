import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { RepositoryOptions } from "../../read/repository.ts";
import type { RollbackSubject } from "./rollback-subject.ts";
import { findMergeFlag } from "./run-commit.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** `rollback` without the bus: refuses with commands that work instead. */
export async function refuseWithoutBus(
  subject: RollbackSubject | undefined,
  options: RepositoryOptions,
  terminal: Terminal,
  cause: Refusal,
): Promise<Refusal> {
  const run = subject?.run ?? "RUN";
  const commit = subject?.record?.commit ?? run;
  const flag = subject?.record === undefined ? "" : await findMergeFlag(subject.record, options, terminal);
  const revert =
    `git fetch origin && git switch -c meshroll/rollback/${run} origin/main && ` +
    `git revert --no-edit ${flag}${commit} && git push origin meshroll/rollback/${run}`;
  return new Refusal(
    exitCodes.unavailable,
    `${cause.message}\n  a rollback needs NATS, Redis and a planner: nothing was asked`,
    "what works now:",
    ["  stop it:    ", { command: 'meshroll pause all --reason "…"' }],
    ["  roll back:  ", { command: revert }],
    "              (then approve and merge it like any change; it runs when the bus is back)",
  );
}
