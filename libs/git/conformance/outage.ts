import { describe, expect, it } from "vitest";

import type { RepositorySetup } from "./environment.ts";
import { GitUnavailable } from "../errors.ts";

/** A repository whose remote can be made to fail. */
export interface Outage {
  setUnavailable(down: boolean): void;
  /** The server accepts connections but does not answer, until the returned function is called. */
  hang(): () => void;
}

const draft = {
  branch: "meshroll/ledger",
  files: { "a.json": "{}" },
  message: "A transition",
  author: { name: "meshroll planner", email: "planner@example.org" },
};

/** How every `RolloutsRepository` behaves while its remote is down. */
export function describeOutage(name: string, make: () => Promise<RepositorySetup & Outage>): void {
  describe(`${name} while the remote is down`, () => {
    it("never answers a fetch or push from old data, and works again afterwards", async () => {
      const environment = await make();
      const first = environment.remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
      const repository = await environment.open();
      await repository.fetch();
      environment.setUnavailable(true);
      await expect(repository.fetch()).rejects.toThrow(GitUnavailable);
      await expect(repository.commitAndPush(draft)).rejects.toThrow(GitUnavailable);
      expect(await repository.read(first, "rollouts.yml")).toBe("one\n");
      environment.setUnavailable(false);
      expect(await repository.fetch()).toEqual({ main: first });
      await environment.close();
    });

    it("answers from its clone while the server hangs in a fetch and in a push, which do not wait for each other", async () => {
      const environment = await make();
      const first = environment.remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
      const repository = await environment.open();
      await repository.fetch();
      const ended: string[] = [];
      const speak = environment.hang();
      const enough = new AbortController();
      const fetching = repository.fetch(enough.signal).catch(() => ended.push("fetch"));
      const pushing = repository.commitAndPush(draft).catch(() => ended.push("push"));
      const answers = await Promise.all([
        repository.read(first, "rollouts.yml"),
        repository.list(first, ""),
        repository.contains(first, first),
        repository.firstParents(undefined, first),
        repository.recall(),
      ]);
      expect(ended).toEqual([]);
      expect(answers).toMatchObject(["one\n", ["rollouts.yml"], true, [{ sha: first }], { main: first }]);
      enough.abort(new Error("given up"));
      speak();
      await Promise.all([fetching, pushing]);
      expect(await repository.fetch()).toMatchObject({ main: first });
      await environment.close();
    });
  });
}
