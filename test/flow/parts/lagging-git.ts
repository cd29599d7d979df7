import { GitUnavailable, type RolloutsRepository } from "#libs/git";
import type { Clock } from "#libs/runtime";

/** Git whose answer to `contains` is late or fails, as behind a fetch that hangs or when the process cannot start. */
export class LaggingGit {
  /** Real ms until an answer. */
  lagMs = 0;
  /** The error of each call; undefined: calls succeed. */
  broken: string | undefined;
  /** Commits whose answer is still open. */
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
