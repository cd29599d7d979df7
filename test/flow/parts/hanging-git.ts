import { createFakeClone, type FakeClone, type FakeRemote, openFakeRepository } from "#fakes/git";
import type { RolloutsRepository } from "#libs/git";
import type { Clock } from "#libs/runtime";

export type GitUser = "planner" | "executor";

/** How long git waits for a server that sends nothing, real ms: `http.lowSpeedTime`. */
const patienceMs = 10_000;

/** A git server that accepts connections of some processes and does not answer them; also keeps the processes' clones. */
export class HangingGit {
  /** Whether a process starts with its predecessor's clone, as on a persistent volume. */
  keepsClones = false;
  /** Called for each push that the server took, before the process that pushed gets the answer. */
  onPushed: (user: GitUser) => void = () => undefined;
  /** Calls that wait for the server now. */
  waiting = 0;
  readonly #silences = new Map<GitUser, PromiseWithResolvers<void>>();
  readonly #clones = new Map<GitUser, FakeClone>();

  /** Stops answering these users; the returned function ends that. */
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

  /** A process's clone; `whyRefused` returns why the server refuses its pushes, undefined if it takes them. */
  open(
    user: GitUser,
    remote: FakeRemote,
    clock: Pick<Clock, "sleepReal">,
    whyRefused: () => string | undefined = () => undefined,
  ): RolloutsRepository {
    const clone = (this.keepsClones ? this.#clones.get(user) : undefined) ?? createFakeClone();
    this.#clones.set(user, clone);
    // Inherits from the remote, so that later changes of the remote count here too.
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
