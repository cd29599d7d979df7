import { join } from "node:path";

import { describeOutage, describeRolloutsRepository, type Outage, type RepositorySetup } from "#conformance/git";
import { describeScm } from "#conformance/scm";
import { openRepository } from "#libs/git";

import { oneFile, startTestEnvironment } from "./test-world.ts";

async function makeRepositorySetup(): Promise<RepositorySetup & Outage> {
  const environment = await startTestEnvironment({});
  const { github } = environment;
  const parent = environment.freshFolder();
  let fix: () => void = () => undefined;
  return {
    remote: environment.remote,
    async open(name) {
      const folder = name === undefined ? environment.freshFolder() : join(parent, name);
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
        fix = github.addFault({ on: { path: /\.git\// }, effect: { kind: "status", status: 503 }, times: Infinity });
      else fix();
    },
    close: async () => environment.close(),
  };
}

describeRolloutsRepository("the repository by git over HTTP", makeRepositorySetup);
describeOutage("the repository by git over HTTP", makeRepositorySetup);

describeScm("GitHub by Octokit", async ({ queue, ...rules }) => {
  const queueRules = queue === true ? { rules: [{ type: "merge_queue" }], mayJumpQueue: true } : {};
  const protection = { ...rules, ...queueRules };
  const team = { slug: "mesh", logins: ["ada", "bob"] };
  const environment = await startTestEnvironment({
    ...oneFile,
    pageSize: 2,
    protection,
    teams: { [team.slug]: team.logins },
  });
  const { github } = environment;
  let fix: () => void = () => undefined;
  return {
    as: (login) => environment.as(login),
    remote: environment.remote,
    approve: async (login, number) => environment.approve(login, number),
    passCheck: async (sha, name) => {
      await environment.ask("bot", "POST", "/repos/acme/mesh/check-runs", {
        name,
        head_sha: sha,
        conclusion: "success",
      });
    },
    openFromFork: async (branch) => {
      const draft = { head: `ada:${branch}`, base: "main", title: branch };
      return Number((await environment.ask("ada", "POST", "/repos/acme/mesh/pulls", draft)).body.number);
    },
    closePullRequest: async (number) => {
      await environment.ask("ada", "PATCH", `/repos/acme/mesh/pulls/${number}`, { state: "closed" });
    },
    team,
    setUnavailable: (down) => {
      if (down) fix = github.addFault({ on: {}, effect: { kind: "status", status: 502 }, times: Infinity });
      else fix();
    },
    close: async () => environment.close(),
  };
});
