import { describe, expect, it } from "vitest";

import { classify, isDamage } from "./classify.ts";
import { GitRefused, GitUnavailable } from "../errors.ts";
import { GitFailed } from "../process/run-git.ts";

describe("what git says when it fails", () => {
  const cases: readonly {
    readonly said: string;
    readonly want: typeof GitRefused | typeof GitUnavailable;
    readonly fix?: string;
  }[] = [
    { said: "fatal: unable to access 'https://h/r.git/': Could not resolve host: h", want: GitUnavailable },
    { said: "fatal: unable to access 'https://h/r.git/': The requested URL returned error: 503", want: GitUnavailable },
    { said: "fatal: unable to access 'https://h/r.git/': The requested URL returned error: 429", want: GitUnavailable },
    { said: "error: RPC failed; curl 56\nfatal: the remote end hung up unexpectedly", want: GitUnavailable },
    { said: "fatal: early EOF", want: GitUnavailable },
    { said: "", want: GitUnavailable },
    {
      said: "remote: Invalid username or token.\nfatal: Authentication failed for 'https://h/r.git/'",
      want: GitRefused,
      fix: "renew the token",
    },
    {
      said: "fatal: could not read Username for 'https://h': terminal prompts disabled",
      want: GitRefused,
      fix: "renew the token",
    },
    {
      said: "fatal: unable to access 'https://h/r.git/': The requested URL returned error: 403",
      want: GitRefused,
      fix: "rights",
    },
    {
      said: "remote: Repository not found.\nfatal: repository 'https://h/r.git/' not found",
      want: GitRefused,
      fix: "address",
    },
    {
      said: "git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.",
      want: GitRefused,
      fix: "rights",
    },
    { said: "fatal: couldn't find remote ref refs/heads/main", want: GitRefused, fix: "branch" },
    {
      said: "Host key verification failed.\nfatal: Could not read from remote repository.",
      want: GitRefused,
      fix: "known_hosts",
    },
    { said: "Error: spawn git ENOENT", want: GitRefused, fix: "install git" },
  ];
  for (const { said, want, fix } of cases) {
    it(`${want.name}: ${said.replaceAll("\n", " / ") || "nothing"}`, () => {
      const cause = new GitFailed(128, "", said);
      const error = classify(cause, "fetching", "git ls-remote https://h/r.git");
      expect(error).toBeInstanceOf(want);
      expect(error.cause).toBe(cause);
      expect(error.message).toContain(fix ?? "git ls-remote https://h/r.git");
    });
  }

  it("counts as damage only when git's own lines say so, not the remote's", () => {
    expect(isDamage(new GitFailed(128, "", "error: object file objects/ab/cd is empty"))).toBe(true);
    expect(isDamage(new GitFailed(128, "", "fatal: not a git repository: '/x'"))).toBe(true);
    expect(isDamage(new GitFailed(128, "", "remote: fatal: object file objects/ab/cd is empty"))).toBe(false);
    expect(isDamage(new GitFailed(128, "", "fatal: unable to access 'https://h/': Could not resolve host"))).toBe(
      false,
    );
    expect(isDamage(new Error("object file is empty"))).toBe(false);
  });
});
