import { isPrivate } from "#libs/input";
import { readConfig, type TokenSource } from "#libs/runtime";
import { z } from "zod";

import { createAppCalls } from "../github/app/app-calls.ts";
import { createInstallationTokens } from "../github/app/installation-tokens.ts";
import { findAppRights } from "../github/app/registration.ts";
import { findMissing, type Rights, rights } from "../github/app/rights.ts";
import { readApp } from "./app-variables.ts";
import { nameGitHost, publicApi, requireWholeScm, scmVariables } from "./scm-config.ts";

/** The GitHub App that a command logs in as. */
export interface AppLogin {
  readonly id: string;
  /** Tokens for the API, and for git where `reaches` says so. */
  readonly tokens: TokenSource;
  /** Whether the address is the App's own repository, on the GitHub that makes its tokens. */
  reaches(url: string): boolean;
  /** Rights that meshroll's services use and the installation does not grant; read from GitHub now. */
  findMissingRights(): Promise<Rights>;
}

const schema = z.object(scmVariables).superRefine(requireWholeScm);

/** `/acme/rollouts.git` as `acme/rollouts`, in lower case: GitHub ignores the case of names. */
function readRepository(path: string): string {
  return path
    .replaceAll(/^\/+|\/+$/gu, "")
    .replace(/\.git$/u, "")
    .toLowerCase();
}

/** The login that the environment names; undefined: none. Throws `ConfigProblems`. Sends nothing yet. */
export function openAppLogin(env: Readonly<Record<string, string | undefined>>): AppLogin | undefined {
  const config = readConfig(schema, env);
  const app = readApp(config);
  const { MESHROLL_GITHUB_REPOSITORY: repository, MESHROLL_GITHUB_API_URL: baseUrl = publicApi } = config;
  if (app === undefined || repository === undefined) return undefined;
  const [owner = "", repo = ""] = repository.split("/");
  const place = { baseUrl, owner, repo, app };
  return {
    id: app.id,
    tokens: createInstallationTokens({ ...place, rights: rights.cli }),
    reaches(url) {
      const parsed = URL.parse(url);
      if (parsed === null || !isPrivate(parsed) || parsed.host !== nameGitHost(baseUrl)) return false;
      return readRepository(parsed.pathname) === repository.toLowerCase();
    },
    async findMissingRights() {
      const { permissions } = await createAppCalls(place).findInstallation();
      return findMissing(findAppRights("services"), permissions);
    },
  };
}
