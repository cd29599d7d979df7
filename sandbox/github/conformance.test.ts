import { join } from "node:path";

import { describeOutage, describeRolloutsRepository, type Outage, type RepositoryWorld } from "#conformance/git";
import { describeForge } from "#conformance/github";
import { openRepository } from "#libs/git";

import { oneFile, startTestWorld } from "./test-world.ts";

async function makeRepositoryWorld(): Promise<RepositoryWorld & Outage> {
  const world = await startTestWorld({});
  const { github } = world;
  const parent = world.freshFolder();
  let mend: () => void = () => undefined;
  return {
    remote: world.remote,
    async open(name) {
      const folder = name === undefined ? world.freshFolder() : join(parent, name);
      return openRepository({ url: github.gitUrl, folder, credentials: { token: "token-of-bot" } });
    },
    hang() {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const speak = github.addFault({ on: { path: /\.git\// }, effect: { kind: "hang", until }, times: Infinity });
      return () => {
        speak();
        resolve();
      };
    },
    setUnavailable: (down) => {
      if (down)
        mend = github.addFault({ on: { path: /\.git\// }, effect: { kind: "status", status: 503 }, times: Infinity });
      else mend();
    },
    close: async () => world.close(),
  };
}

describeRolloutsRepository("the repository by git over HTTP", makeRepositoryWorld);
describeOutage("the repository by git over HTTP", makeRepositoryWorld);

describeForge("GitHub by Octokit", async (protection) => {
  const team = { slug: "mesh", logins: ["ada", "bob"] };
  const world = await startTestWorld({ ...oneFile, protection, teams: { [team.slug]: team.logins } });
  const { github } = world;
  let mend: () => void = () => undefined;
  return {
    as: (login) => world.as(login),
    remote: world.remote,
    passCheck: async (sha, name) => {
      await world.ask("bot", "POST", "/repos/acme/mesh/check-runs", { name, head_sha: sha, conclusion: "success" });
    },
    openFromFork: async (branch) => {
      const draft = { head: `ada:${branch}`, base: "main", title: branch };
      return Number((await world.ask("ada", "POST", "/repos/acme/mesh/pulls", draft)).body.number);
    },
    closePullRequest: async (number) => {
      await world.ask("ada", "PATCH", `/repos/acme/mesh/pulls/${number}`, { state: "closed" });
    },
    team,
    setUnavailable: (down) => {
      if (down) mend = github.addFault({ on: {}, effect: { kind: "status", status: 502 }, times: Infinity });
      else mend();
    },
    close: async () => world.close(),
  };
});
