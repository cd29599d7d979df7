import type { RolloutsRepository } from "#libs/git";
import { ledgerBranch } from "#libs/ledger";
import type { GuardName } from "#libs/runtime";

/**
 * The repository as it is; with the guard `ledger-cas` switched off by a test what was decided on an older ledger is pushed on
 * top of whatever stands there now.
 */
export function guardLedger(repository: RolloutsRepository, unguarded: ReadonlySet<GuardName>): RolloutsRepository {
  if (!unguarded.has("ledger-cas")) return repository;
  return {
    ...repository,
    async commitAndPush(draft) {
      const outcome = await repository.commitAndPush(draft);
      if (outcome.kind === "pushed" || draft.branch !== ledgerBranch) return outcome;
      const { ledger } = await repository.fetch();
      return repository.commitAndPush({ ...draft, ...(ledger === undefined ? {} : { onto: ledger }) });
    },
  };
}
