import { GitUnavailable, type RolloutsRepository } from "#libs/git";
import type { Clock } from "#libs/runtime";

/** A git that answers late, or not, whether main contains a commit: it may hang behind a fetch, or find no memory to start. */
export class LaggingGit {
  /** Real ms until an answer. */
  lagMs = 0;
  /** Why it does not start, while it does not. */
  broken: string | undefined;
  /** Commits that it was asked about and has not answered for. */
  readonly questions: string[] = [];

  over(repository: RolloutsRepository, clock: Pick<Clock, "sleepReal">): RolloutsRepository {
    return {
      ...repository,
      contains: async (head, commit) => {
        this.questions.push(commit);
        if (this.lagMs > 0) await clock.sleepReal(this.lagMs);
        this.questions.splice(this.questions.indexOf(commit), 1);
        if (this.broken !== undefined) throw new GitUnavailable(this.broken);
        return repository.contains(head, commit);
      },
    };
  }
}
