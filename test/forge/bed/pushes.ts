import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { type GiteaAccounts, nameAddress } from "#sandbox/gitea";

const run = promisify(execFile);

/** A commit of a person, pushed by its committer; the default committer is the author. */
export interface PushedChange {
  readonly files: Readonly<Record<string, string>>;
  readonly author?: string;
  readonly committer?: string;
  readonly message?: string;
}

/** Pushes to one repository by git over HTTP. */
export interface Pushes {
  commitTo(branch: string, change: PushedChange): Promise<string>;
  head(branch: string): Promise<string | undefined>;
  /** Pushes the branch, as known here, to another repository. */
  copyTo(url: string, login: string, branch: string, to: string): Promise<void>;
  /** Opens a pull request without a branch or a fork, by `git push origin HEAD:refs/for/main`, as any reader can. */
  pushForReview(login: string, from: string, topic: string): Promise<string>;
  close(): void;
}

/** `place`: owner/name. Where the committer has no account, `root` pushes. */
export function openPushes(forge: GiteaAccounts, place: string, people: readonly string[]): Pushes {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-pushes-"));
  const url = `${forge.url}/${place}.git`;

  function describeCaller(login: string): NodeJS.ProcessEnv {
    const pair = Buffer.from(`${login}:${forge.tokenOf(login)}`).toString("base64");
    return {
      PATH: process.env["PATH"],
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `http.${forge.url}/.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${pair}`,
    };
  }

  async function git(args: readonly string[], login = "root", env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await run("git", args, { cwd: folder, env: { ...describeCaller(login), ...env } });
    return stdout.trim();
  }

  const isMade = git(["init", "--quiet"]);

  async function readHead(branch: string): Promise<string | undefined> {
    await isMade;
    const found = await git(["ls-remote", url, `refs/heads/${branch}`]);
    return found === "" ? undefined : found.split("\t")[0];
  }

  /** Gitea updates open pull requests a moment after the push. */
  async function untilFollowed(branch: string, sha: string): Promise<void> {
    for (let look = 0; look < 200; look += 1) {
      const { body } = await forge.ask("root", "GET", `/repos/${place}/pulls?state=open&limit=50`);
      const late = (
        body as readonly { head: { label: string; sha: string; repo_id: number }; base: { repo_id: number } }[]
      )
        .filter(({ head, base }) => head.label === branch && head.repo_id === base.repo_id)
        .some(({ head }) => head.sha !== sha);
      if (!late) return;
      await sleep(50);
    }
    throw new Error(`Gitea did not move the pull request of ${branch} to ${sha} within ten seconds`);
  }

  async function push(source: string, branch: string, login: string): Promise<void> {
    const known = people.includes(login) ? login : "root";
    await git(["push", "--quiet", url, `${source}:refs/heads/${branch}`], known);
  }

  return {
    head: readHead,
    async commitTo(branch, { files, author = "root", committer = author, message = "a change" }) {
      const base = (await readHead(branch)) ?? (await readHead("main"));
      if (base !== undefined) {
        await git(["fetch", "--quiet", url, base]);
        await git(["checkout", "--quiet", "--force", "--detach", base]);
      }
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      await git(["add", "--all"]);
      await git(["commit", "--quiet", "--allow-empty", "--message", message], "root", {
        GIT_AUTHOR_NAME: author,
        GIT_AUTHOR_EMAIL: nameAddress(author),
        GIT_COMMITTER_NAME: committer,
        GIT_COMMITTER_EMAIL: nameAddress(committer),
      });
      const sha = await git(["rev-parse", "HEAD"]);
      await push("HEAD", branch, committer);
      await untilFollowed(branch, sha);
      return sha;
    },
    async copyTo(other, login, branch, to) {
      const sha = await readHead(branch);
      if (sha === undefined) throw new Error(`there is no branch ${branch}`);
      await git(["fetch", "--quiet", url, sha]);
      await git(["push", "--quiet", "--force", other, `${sha}:refs/heads/${to}`], login);
    },
    async pushForReview(login, from, topic) {
      const sha = await readHead(from);
      if (sha === undefined) throw new Error(`there is no branch ${from}`);
      await git(["fetch", "--quiet", url, sha]);
      const options = ["-o", `topic=${topic}`, "-o", `title=${topic}`];
      await git(["push", "--quiet", ...options, url, `${sha}:refs/for/main`], login);
      return sha;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
