import { ConfigProblems, readConfig } from "#libs/runtime";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  gitVariables,
  openConfiguredScm,
  openLogins,
  requireGitLogin,
  requireWholeScm,
  scmVariables,
} from "./scm-config.ts";

const schema = z
  .object({ ...scmVariables, ...gitVariables, MESHROLL_REPO_URL: z.string().default("/srv/rollouts.git") })
  .superRefine(requireWholeScm)
  .superRefine(requireGitLogin);
const app = { MESHROLL_GITHUB_APP_ID: "7", MESHROLL_GITHUB_APP_KEY: "-----BEGIN PRIVATE KEY-----" };
const whole = { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts", MESHROLL_GITHUB_TOKEN: "t0ken" };

function listProblems(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems.map(({ name, message }) => `${name} ${message}`);
    throw error;
  }
}

describe("the environment of a process that talks to GitHub", () => {
  const cases: readonly {
    readonly name: string;
    readonly env: Record<string, string>;
    readonly want: readonly string[];
  }[] = [
    { name: "need not name a GitHub", env: {}, want: [] },
    { name: "names repository and token", env: whole, want: [] },
    {
      name: "needs a token for its repository",
      env: { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts" },
      want: ["MESHROLL_GITHUB_TOKEN is not set, though MESHROLL_GITHUB_REPOSITORY is"],
    },
    {
      name: "needs a repository for its token",
      env: { MESHROLL_GITHUB_TOKEN: "t0ken" },
      want: ["MESHROLL_GITHUB_REPOSITORY is not set, though MESHROLL_GITHUB_TOKEN is"],
    },
    {
      name: "names a repository as owner/name",
      env: { ...whole, MESHROLL_GITHUB_REPOSITORY: "https://github.com/acme/rollouts" },
      want: ["MESHROLL_GITHUB_REPOSITORY must be owner/name"],
    },
    {
      name: "must name the Gitea's address",
      env: { ...whole, MESHROLL_SCM: "gitea" },
      want: ["MESHROLL_GITHUB_API_URL is not set: with MESHROLL_SCM=gitea it is the address of the Gitea server"],
    },
    {
      name: "names a Gitea by its address",
      env: { ...whole, MESHROLL_SCM: "gitea", MESHROLL_GITHUB_API_URL: "https://gitea.example.com" },
      want: [],
    },
    { name: "is an App instead of a token", env: { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts", ...app }, want: [] },
    {
      name: "may not have both an App and a token",
      env: { ...whole, ...app },
      want: ["MESHROLL_GITHUB_TOKEN is set, and MESHROLL_GITHUB_APP_ID too: unset one"],
    },
    {
      name: "needs the App's key",
      env: { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts", MESHROLL_GITHUB_APP_ID: "Iv1.8a61f9b3a7aba766" },
      want: ["MESHROLL_GITHUB_APP_KEY_FILE is not set, though MESHROLL_GITHUB_APP_ID is: the App's private key"],
    },
    {
      name: "needs the App's id",
      env: { ...whole, MESHROLL_GITHUB_APP_INSTALLATION_ID: "9" },
      want: ["MESHROLL_GITHUB_APP_ID is not set, though other variables of the App are"],
    },
    {
      name: "needs a repository for its App",
      env: app,
      want: ["MESHROLL_GITHUB_REPOSITORY is not set, though MESHROLL_GITHUB_APP_ID is"],
    },
    {
      name: "refuses an App at Gitea",
      env: {
        MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
        ...app,
        MESHROLL_SCM: "gitea",
        MESHROLL_GITHUB_API_URL: "https://gitea.example.com",
      },
      want: ["MESHROLL_GITHUB_APP_ID is set, and Gitea has no Apps"],
    },
    {
      name: "sends the App's token to no other server",
      env: { MESHROLL_GITHUB_REPOSITORY: "acme/rollouts", ...app, MESHROLL_REPO_URL: "https://git.example.com/a/b" },
      want: [
        "MESHROLL_REPO_URL is on git.example.com, and the App's token is for github.com: set MESHROLL_GIT_TOKEN for it",
      ],
    },
    {
      name: "sends the App's token over https alone",
      env: {
        MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
        ...app,
        MESHROLL_REPO_URL: "http://github.com/acme/rollouts",
      },
      want: ["MESHROLL_REPO_URL is plain http, and the App's token is sent over https alone"],
    },
    {
      name: "sends git's token to the host of the repository",
      env: { MESHROLL_GIT_TOKEN: "t", MESHROLL_REPO_URL: "https://git.example.com/a/b" },
      want: [],
    },
    {
      name: "has a token of git for that host",
      env: {
        MESHROLL_GIT_TOKEN: "t",
        MESHROLL_REPO_URL: "https://git.example.com/a/b",
        MESHROLL_GIT_TOKEN_HOST: "github.com",
      },
      want: [
        "MESHROLL_GIT_TOKEN is not sent to git.example.com: it is for github.com; " +
          "where it is for this one, set MESHROLL_GIT_TOKEN_HOST=git.example.com",
      ],
    },
    {
      name: "never sends git's token over plain http",
      env: { MESHROLL_GIT_TOKEN: "t", MESHROLL_REPO_URL: "http://gitea.gitea:3000/a/b" },
      want: [
        "MESHROLL_GIT_TOKEN is not sent to gitea.gitea:3000: plain http shows it to everyone on the way; give an address with https",
      ],
    },
    ...["http://127.0.0.1:3000/a/b", "/srv/a.git", "ssh://git@git.example.com/a/b", "git@git.example.com:a/b"].map(
      (url) => ({
        name: `has no objection to a token of git with ${url}`,
        env: { MESHROLL_GIT_TOKEN: "t", MESHROLL_REPO_URL: url },
        want: [],
      }),
    ),
    ...[
      ["https://github.com/acme/rollouts", "https://api.github.com"],
      ["https://acme.ghe.com/acme/rollouts.git", "https://api.acme.ghe.com"],
      ["https://github.example.com/acme/rollouts", "https://github.example.com/api/v3"],
    ].map(([url = "", api = ""]) => ({
      name: `sends it to ${url} of ${api}`,
      env: {
        MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
        ...app,
        MESHROLL_REPO_URL: url,
        MESHROLL_GITHUB_API_URL: api,
      },
      want: [],
    })),
    {
      name: "refuses a login in the API's address",
      env: { ...whole, MESHROLL_GITHUB_API_URL: "https://ana:pa55word@github.example.com/api/v3" },
      want: ["MESHROLL_GITHUB_API_URL has a login in it: MESHROLL_GITHUB_TOKEN is for that"],
    },
    {
      name: "takes its own spacing of writes only for this machine",
      env: { ...whole, MESHROLL_SANDBOX_THROTTLE: "5" },
      want: ["MESHROLL_SANDBOX_THROTTLE is for the sandbox: MESHROLL_GITHUB_API_URL must be on this machine"],
    },
    {
      name: "takes it for this machine",
      env: { ...whole, MESHROLL_SANDBOX_THROTTLE: "5", MESHROLL_GITHUB_API_URL: "http://127.0.0.1:8080" },
      want: [],
    },
  ];
  for (const { name, env, want } of cases) it(name, () => expect(listProblems(env)).toEqual(want));

  it("opens an SCM only where one is named", () => {
    const open = (env: Readonly<Record<string, string>>) => {
      const config = readConfig(schema, env);
      return openConfiguredScm(config, openLogins(config, "planner"));
    };
    expect(open({})).toBe(undefined);
    expect(open(whole)).toBeDefined();
    expect(open({ MESHROLL_GITHUB_REPOSITORY: "acme/rollouts", ...app })).toBeDefined();
  });
});
