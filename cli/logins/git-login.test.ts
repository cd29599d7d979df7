import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it, onTestFinished } from "vitest";

import type { Terminal } from "../terminal/terminal.ts";
import { chooseGitLogin } from "./git-login.ts";

const token = "a-token-of-ours";

async function choose(url: string, env: Readonly<Record<string, string>>) {
  const said: string[] = [];
  const all = { MESHROLL_GIT_TOKEN: token, ...env };
  const terminal = { env: all, warn: (line: string) => void said.push(line) } as unknown as Terminal;
  const { credentials } = await chooseGitLogin(url, terminal);
  return { isSent: credentials !== undefined, said };
}

describe("the host that gets MESHROLL_GIT_TOKEN", () => {
  const ours = "https://git.example.com/acme/rollouts.git";
  const here = { MESHROLL_REPO_URL: ours };
  const named = { MESHROLL_GIT_TOKEN_HOST: "git.example.com" };
  it.each([
    { url: ours, env: here },
    { url: "https://git.example.com/another/one.git", env: here },
    { url: "https://GIT.example.com:443/acme/rollouts.git", env: here },
    { url: ours, env: named },
    { url: ours, env: { MESHROLL_GIT_TOKEN_HOST: "Git.Example.com:443" } },
    { url: "https://git.example.com:8443/a/b", env: { MESHROLL_GIT_TOKEN_HOST: "git.example.com:8443" } },
    { url: ours, env: { ...named, MESHROLL_REPO_URL: "git@github.com:acme/rollouts.git" } },
    { url: "http://127.0.0.1:3000/a/b", env: { MESHROLL_GIT_TOKEN_HOST: "127.0.0.1:3000" } },
    { url: "http://[::1]:3000/a/b", env: { MESHROLL_REPO_URL: "http://[::1]:3000/c/d" } },
    { url: "http://localhost/a/b", env: { MESHROLL_GIT_TOKEN_HOST: "localhost:80" } },
  ])("$url with $env: gets it", async ({ url, env }) => {
    expect(await choose(url, env)).toEqual({ isSent: true, said: [] });
  });

  const unbound = (host: string) =>
    `MESHROLL_GIT_TOKEN is not sent to ${host}: it is for no host; where it is for this one, set MESHROLL_GIT_TOKEN_HOST=${host}`;
  const other = (host: string, bound = "git.example.com") =>
    `MESHROLL_GIT_TOKEN is not sent to ${host}: it is for ${bound}; where it is for this one, set MESHROLL_GIT_TOKEN_HOST=${host}`;
  const plain = (host: string) =>
    `MESHROLL_GIT_TOKEN is not sent to ${host}: plain http shows it to everyone on the way; give an address with https`;
  it.each([
    { url: ours, env: {}, want: unbound("git.example.com") },
    { url: ours, env: { MESHROLL_REPO_URL: "/srv/rollouts.git" }, want: unbound("git.example.com") },
    { url: ours, env: { MESHROLL_REPO_URL: "ssh://git@git.example.com/a/b" }, want: unbound("git.example.com") },
    { url: ours, env: { MESHROLL_REPO_URL: "http://git.example.com/a/b" }, want: unbound("git.example.com") },
    { url: "https://evil.example/a/b", env: here, want: other("evil.example") },
    { url: "https://evil.example/a/b", env: named, want: other("evil.example") },
    {
      url: ours,
      env: { ...here, MESHROLL_GIT_TOKEN_HOST: "github.com" },
      want: other("git.example.com", "github.com"),
    },
    { url: "https://git.example.com:8443/a/b", env: here, want: other("git.example.com:8443") },
    { url: "https://git.example.com.evil.example/", env: here, want: other("git.example.com.evil.example") },
    { url: "https://git.example.com@evil.example/", env: here, want: other("evil.example") },
    { url: "https://evil.example/?https://git.example.com/", env: here, want: other("evil.example") },
    { url: "https://git.example.com./a/b", env: here, want: other("git.example.com.") },
    { url: "http://git.example.com/a/b", env: here, want: plain("git.example.com") },
    { url: "http://git.example.com/a/b", env: named, want: plain("git.example.com") },
    {
      url: "http://localhost.evil.example/a",
      env: { MESHROLL_GIT_TOKEN_HOST: "localhost" },
      want: plain("localhost.evil.example"),
    },
    {
      url: "http://127.0.0.1:3001/a/b",
      env: { MESHROLL_REPO_URL: "http://127.0.0.1:3000/a/b" },
      want: other("127.0.0.1:3001", "127.0.0.1:3000"),
    },
  ])("$url with $env: does not get it, and a warning is printed", async ({ url, env, want }) => {
    expect(await choose(url, env)).toEqual({ isSent: false, said: [want] });
  });

  it.each([
    "https://git.example.com",
    "git.example.com/acme",
    "ana@git.example.com",
    "git.example.com:port",
    "*",
    "a b",
    "*.example.com",
  ])("MESHROLL_GIT_TOKEN_HOST=%s is no host: no host gets it", async (host) => {
    const { isSent, said } = await choose(ours, { MESHROLL_GIT_TOKEN_HOST: host });
    expect(isSent).toBe(false);
    expect(said.join()).toContain(
      "MESHROLL_GIT_TOKEN is not sent to git.example.com: MESHROLL_GIT_TOKEN_HOST is not a host",
    );
  });

  it.each([
    "/srv/rollouts.git",
    "git@git.example.com:a/b.git",
    "ssh://git@git.example.com/a/b",
    "file:///srv/a",
    "no address",
  ])("%s needs none, and no warning is printed", async (url) =>
    expect(await choose(url, {})).toEqual({ isSent: false, said: [] }),
  );
});

/** A checkout whose origin is an http server on this machine, and the logins that the server received. */
async function makeCheckout() {
  const logins: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    logins.push(request.headers.authorization);
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cwd = makeFolder({ "rollouts.yml": "production:\n  1-24-5: 100\n" });
  execFileSync("git", ["-C", cwd, "init", "-q", "-b", "main"]);
  execFileSync("git", ["-C", cwd, "remote", "add", "origin", `http://${host}/other/project.git`]);
  const env = { MESHROLL_GIT_TOKEN: token, XDG_CACHE_HOME: join(cwd, "cache"), USER: "ana" };
  return { cwd, env, host, logins };
}

describe("a checkout with a hostile origin", () => {
  it.each([["history"], ["ledger", "check"], ["doctor", "--only", "git"], ["init", "--dry-run"]])(
    "%s sends it none, and says so once",
    async (...args) => {
      const { cwd, env, host, logins } = await makeCheckout();
      const { code, stderr } = await runCli(args, { cwd, env });
      expect(logins.length).toBeGreaterThan(0);
      expect(logins.filter((each) => each !== undefined)).toEqual([]);
      expect(code).not.toBe(0);
      expect(stderr.split(`MESHROLL_GIT_TOKEN is not sent to ${host}`)).toHaveLength(2);
    },
  );

  it("gets the token only if it is the token's host", async () => {
    const { cwd, env, host, logins } = await makeCheckout();
    const { stderr } = await runCli(["history"], { cwd, env: { ...env, MESHROLL_GIT_TOKEN_HOST: host } });
    expect(logins).toContain(`Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`);
    expect(stderr).not.toContain("is not sent");
  });
});
