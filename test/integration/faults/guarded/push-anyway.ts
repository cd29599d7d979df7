import type { RolloutsRepository } from "#libs/git";
import { ledgerBranch } from "#libs/ledger";

/** The repository without the guard `ledger-cas`: what was decided on an older ledger is pushed on top of whatever stands there now. */
export function pushAnyway(repository: RolloutsRepository): RolloutsRepository {
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
