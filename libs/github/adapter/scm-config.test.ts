import { ConfigProblems, readConfig } from "#libs/runtime";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { scmVariables, openConfiguredScm, requireWholeScm } from "./scm-config.ts";

const schema = z.object({ ...scmVariables }).superRefine(requireWholeScm);
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
    { name: "may name no GitHub at all", env: {}, want: [] },
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
      name: "spaces writes of its own only on this machine",
      env: { ...whole, MESHROLL_SANDBOX_THROTTLE: "5" },
      want: ["MESHROLL_SANDBOX_THROTTLE is for the sandbox: MESHROLL_GITHUB_API_URL must be on this machine"],
    },
    {
      name: "may do so there",
      env: { ...whole, MESHROLL_SANDBOX_THROTTLE: "5", MESHROLL_GITHUB_API_URL: "http://127.0.0.1:8080" },
      want: [],
    },
  ];
  for (const { name, env, want } of cases) it(name, () => expect(listProblems(env)).toEqual(want));

  it("opens an SCM only when it names one", () => {
    expect(openConfiguredScm(readConfig(schema, {}))).toBe(undefined);
    expect(openConfiguredScm(readConfig(schema, whole))).toBeDefined();
  });
});
