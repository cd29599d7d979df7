import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type BareRemote, openBareRemote } from "#conformance/git";
import { createThrottleGroups, type Scm, type ScmOptions, openScm } from "#libs/scm";

import { type Github, type GithubOptions, startGithub } from "./index.ts";
import { loadAnswerCheck } from "./described/check-answers.ts";

/** An answer of the API as a test reads it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line typescript/no-explicit-any -- tests walk through foreign shapes; a wrong step fails them
  readonly body: any;
}

/** A stand-in in a folder of its own; every answer is checked against GitHub's description. */
export interface TestEnvironment {
  readonly github: Github;
  readonly remote: BareRemote;
  /** Calls the API as `bot`, `ada`, `bob` or the admin `root`. */
  ask(login: string, method: string, path: string, body?: unknown): Promise<Answer>;
  /** A person's approval of the current head. */
  approve(login: string, number: number): Promise<void>;
  as(login: string, options?: Partial<ScmOptions>): Scm;
  freshFolder(): string;
  /** Throws when an answer did not match GitHub's description. */
  close(): Promise<void>;
}

const check = loadAnswerCheck();

/** `POST /repos` creates a repository with one commit, `git init` one without. */
export const oneFile: Partial<GithubOptions> = { files: { "rollouts.yml": "one\n" } };

/** `acme/mesh`, by default with `rollouts.yml` on main. */
export async function startTestEnvironment(options: Partial<GithubOptions> = oneFile): Promise<TestEnvironment> {
  const root = mkdtempSync(join(tmpdir(), "meshroll-github-"));
  const wrong: string[] = [];
  const github = await startGithub({
    folder: join(root, "hub"),
    owner: "acme",
    repo: "mesh",
    users: ["bot", "ada", "bob", "root"].map((login) => ({
      login,
      token: `token-of-${login}`,
      admin: login === "root",
    })),
    protection: { requiredChecks: [], requiredReviews: 0 },
    onExchange: (exchange) => wrong.push(...[check.findFault(exchange)].filter((fault) => fault !== undefined)),
    ...options,
  });
  const throttle = createThrottleGroups(1);
  let folders = 0;
  async function ask(login: string, method: string, path: string, body?: unknown): Promise<Answer> {
    const init = { method, headers: { authorization: `Bearer token-of-${login}` } };
    const response = await fetch(
      `${github.url}${path}`,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  }
  return {
    github,
    remote: openBareRemote(github.repoPath),
    ask,
    async approve(login, number) {
      await ask(login, "POST", `/repos/acme/mesh/pulls/${number}/reviews`, { event: "APPROVE" });
    },
    as: (login, more) =>
      openScm({
        baseUrl: github.url,
        owner: "acme",
        repo: "mesh",
        token: `token-of-${login}`,
        throttle,
        retryBaseMs: 5,
        ...more,
      }),
    freshFolder: () => {
      folders += 1;
      return join(root, `clone-${folders}`);
    },
    async close() {
      await github.close();
      rmSync(root, { recursive: true, force: true });
      if (wrong.length > 0) throw new Error(`answers that are not GitHub's:\n${wrong.join("\n")}`);
    },
  };
}
