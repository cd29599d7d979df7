import { createFakeClone, type FakeClone, type FakeRemote, openFakeRepository } from "#fakes/git";
import type { RolloutsRepository } from "#libs/git";
import type { Clock } from "#libs/runtime";

export type GitUser = "planner" | "executor";

/** So long git waits for a server that says nothing, real ms: `http.lowSpeedTime`. */
const patienceMs = 10_000;

/** A git server that takes the connections of some processes and says nothing to them; and what stays on their disks. */
export class HangingGit {
  /** Processes that start find the clone of the one before, as on a volume that stays. */
  keepsClones = false;
  /** Told at once of a push that the server took, before the process that pushed hears of it. */
  onPushed: (user: GitUser) => void = () => undefined;
  /** Calls that wait for the server now. */
  waiting = 0;
  readonly #silences = new Map<GitUser, PromiseWithResolvers<void>>();
  readonly #clones = new Map<GitUser, FakeClone>();

  /** The answer lets it speak again. */
  hang(...users: readonly GitUser[]): () => void {
    for (const user of users) this.#silences.set(user, Promise.withResolvers());
    return () => {
      for (const user of users) {
        this.#silences.get(user)?.resolve();
        this.#silences.delete(user);
      }
    };
  }

  async #untilAnswering(user: GitUser): Promise<void> {
    this.waiting += 1;
    await this.#silences.get(user)?.promise;
    this.waiting -= 1;
  }

  /** The clone of such a process, over a server that may refuse its pushes: it says why. */
  open(
    user: GitUser,
    remote: FakeRemote,
    clock: Pick<Clock, "sleepReal">,
    whyRefused: () => string | undefined = () => undefined,
  ): RolloutsRepository {
    const clone = (this.keepsClones ? this.#clones.get(user) : undefined) ?? createFakeClone();
    this.#clones.set(user, clone);
    // What a test changes about the remote later on counts here, too.
    const silent = Object.assign(Object.create(remote) as FakeRemote, {
      untilAnswering: async () => this.#untilAnswering(user),
    });
    const untilGivenUp = async (signal: AbortSignal | undefined) =>
      clock.sleepReal(patienceMs, signal).catch(() => undefined);
    const repository = openFakeRepository(silent, { clone, untilGivenUp });
    const onPushed = (by: GitUser): void => this.onPushed(by);
    return {
      ...repository,
      async commitAndPush(draft) {
        const why = whyRefused();
        if (why !== undefined) return { kind: "rejected", why };
        const outcome = await repository.commitAndPush(draft);
        if (outcome.kind === "pushed") onPushed(user);
        return outcome;
      },
    };
  }
}
