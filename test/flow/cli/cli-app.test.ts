import { demandReviews, type GithubApp } from "#sandbox/github";
import { beforeAll, expect, test } from "vitest";

import { type AppKeys, writeKey, makeApp, makeAppKeys } from "../../../sandbox/github/test-app.ts";
import { campaign, type CliEnvironment, fillShops, openCliEnvironment, rollouts } from "./cli-environment.ts";

const files = { "rollouts.yml": rollouts, "campaigns/istio-1-25.yml": campaign };
const checks = ["meshroll/plan", "meshroll/approvals"];

let keys: AppKeys;
beforeAll(() => {
  keys = makeAppKeys();
});

interface AppEnvironment extends CliEnvironment {
  readonly app: GithubApp;
  /** Environment of a command that acts as the App, without a personal token. */
  readonly asApp: Readonly<Record<string, string>>;
}

async function openAsApp(more: Partial<GithubApp> = {}): Promise<AppEnvironment> {
  const app = makeApp(keys, more);
  const protection = {
    requiredChecks: checks,
    requiredReviews: 0,
    checkSource: "meshroll[bot]",
    ...demandReviews(["meshroll[bot]"]),
  };
  const environment = await openCliEnvironment(files, fillShops, protection, {
    app,
    users: [{ login: "ana", token: "token-of-ana" }],
  });
  const asApp = {
    MESHROLL_GIT_TOKEN: "",
    MESHROLL_GITHUB_TOKEN: "",
    MESHROLL_GITHUB_APP_ID: "7100",
    MESHROLL_GITHUB_APP_KEY_FILE: writeKey(environment.folder, keys),
  };
  return { ...environment, app, asApp };
}

interface Check {
  readonly code: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
}

async function examine(environment: AppEnvironment, only: string, env: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await environment.meshroll(["doctor", "--only", only, "-o", "json"], {
    ...environment.asApp,
    ...env,
  });
  const report = JSON.parse(stdout) as { readonly checks: readonly Check[] };
  return { code, found: new Map(report.checks.map((each) => [each.code, each])) };
}

test("doctor acts as the App: for git, for the API, and to read what the installation was granted", async () => {
  const environment = await openAsApp();
  await environment.meshroll(["init"], environment.asApp);
  const { found } = await examine(environment, "git,github");
  const states = ["MR9001", "MR9004", "MR9010", "MR9011", "MR9012", "MR9015"].map((code) => found.get(code)?.state);
  expect(states).toEqual(["ok", "ok", "ok", "ok", "ok", "ok"]);
  expect(found.get("MR9010")?.message).toBe("GitHub: the token is meshroll[bot]'s and may write to acme/rollouts");
  expect(found.get("MR9015")?.message).toBe("App 7100 was granted every right that meshroll uses");
});

test("a writing command pushes and opens its pull request as the App, with tokens that have only the rights it uses", async () => {
  const environment = await openAsApp();
  const pin = ["pin", "shop-01", "1-24-5", "--for", "7d", "--reason", "PCI audit", "--yes"];
  const { code, stderr } = await environment.meshroll(pin, environment.asApp);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const headers = { authorization: "Bearer token-of-ana" };
  const answer = await fetch(`${environment.github.url}/repos/acme/rollouts/pulls`, { headers });
  const pulls = (await answer.json()) as readonly { readonly user: { readonly login: string } }[];
  expect(pulls.map(({ user }) => user.login)).toEqual(["meshroll[bot]"]);
  const made = new Set(environment.github.tokens.map(({ permissions }) => JSON.stringify(permissions)));
  expect([...made].map((text) => JSON.parse(text) as unknown)).toEqual([
    { metadata: "read", contents: "write", pull_requests: "write" },
  ]);
});

const lacking = [
  {
    name: "one that is required",
    granted: { checks: "read" },
    state: "failed",
    want: "App 7100 was not granted checks=write: meshroll/plan and meshroll/approvals cannot be posted",
    code: 79,
  },
  {
    name: "one that only an optional part needs",
    granted: { deployments: undefined },
    state: "warned",
    want: "App 7100 was not granted deployments=write: no deployment is shown for a cluster",
    code: 0,
  },
  {
    name: "two, the worse first",
    granted: { members: undefined, contents: "read" },
    state: "failed",
    want:
      "App 7100 was not granted contents=write: no branch, no ledger and no merge can be written; " +
      "members=read: no approval of a team: can be counted",
    code: 79,
  },
] as const;

test.each(lacking)("doctor names a missing right: $name", async ({ granted, state, want, code }) => {
  const all = { ...makeApp(keys).permissions, ...granted };
  const permissions = Object.fromEntries(Object.entries(all).filter(([, level]) => level !== undefined));
  const environment = await openAsApp({ permissions: permissions as GithubApp["permissions"] });
  await environment.meshroll(["init"], { MESHROLL_GIT_TOKEN: "token-of-ana" });
  const { code: ended, found } = await examine(environment, "github");
  expect([found.get("MR9015")?.state, found.get("MR9015")?.message, ended]).toEqual([state, want, code]);
  expect(found.get("MR9015")?.fix).toContain("accept it in the installation");
  expect(found.get("MR9010")?.state).toBe("contents" in granted ? "failed" : "ok");
});

test("a suspended installation is named by the checks of git and GitHub, with the setting that ends the suspension", async () => {
  const environment = await openAsApp({ suspended: true });
  const { code, stderr } = await environment.meshroll(["history"], environment.asApp);
  expect([code, stderr]).toEqual([4, expect.stringContaining("is suspended")]);
  const { found } = await examine(environment, "git,github");
  for (const each of ["MR9001", "MR9010"]) {
    expect(found.get(each)).toMatchObject({ state: "failed", message: expect.stringContaining("is suspended") });
    expect(found.get(each)?.fix).toContain("unsuspend it");
  }
});

const wrong = [
  {
    name: "a token next to it",
    env: { MESHROLL_GITHUB_TOKEN: "token-of-ana" },
    want: "MESHROLL_GITHUB_TOKEN is set, and MESHROLL_GITHUB_APP_ID too: unset one",
  },
  {
    name: "no repository",
    env: { MESHROLL_GITHUB_REPOSITORY: "" },
    want: "MESHROLL_GITHUB_REPOSITORY is not set, though MESHROLL_GITHUB_APP_ID is",
  },
  {
    name: "no key",
    env: { MESHROLL_GITHUB_APP_KEY_FILE: "" },
    want: "MESHROLL_GITHUB_APP_KEY_FILE is not set, though MESHROLL_GITHUB_APP_ID is: the App's private key",
  },
];

test.each(wrong)("an App with $name is refused before anything is sent", async ({ env, want }) => {
  const environment = await openAsApp();
  const { code, stderr } = await environment.meshroll(["history"], { ...environment.asApp, ...env });
  expect([code, stderr.replaceAll(/\s+/gu, " ")]).toEqual([78, expect.stringContaining(want)]);
  expect(environment.github.tokens).toEqual([]);
});

test("an App's token is for its own repository only: for another one git logs in as before", async () => {
  const environment = await openAsApp();
  for (const url of ["http://127.0.0.1:1/acme/rollouts.git", environment.github.gitUrl.replace("rollouts", "other")])
    expect((await environment.meshroll(["history", "--repo", url], environment.asApp)).code).not.toBe(0);
  expect(environment.github.tokens).toEqual([]);
});
