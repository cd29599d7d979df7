import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { describeRolloutsRepository } from "../conformance.ts";
import { type BareRemote, openBareRemote } from "../fake/bare-remote.ts";
import { GitRefused, GitUnavailable } from "../errors.ts";
import { openRepository } from "./simple-git.ts";

const root = mkdtempSync(join(tmpdir(), "meshroll-git-"));
let count = 0;
function freshFolder(): string {
  count += 1;
  return join(root, String(count));
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeRolloutsRepository("the repository by git over file://", async () => {
  const path = freshFolder();
  const parent = freshFolder();
  return {
    remote: openBareRemote(path),
    open: async (name) =>
      openRepository({ url: `file://${path}`, folder: name === undefined ? freshFolder() : join(parent, name) }),
    close: async () => undefined,
  };
});

/** Starts an HTTP server that ends with the test; returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("the clone", () => {
  let remote: BareRemote;
  let url: string;
  let folder: string;
  let first: string;
  beforeEach(() => {
    const path = freshFolder();
    remote = openBareRemote(path);
    url = `file://${path}`;
    folder = freshFolder();
    first = remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  });

  it.each(["", "x\n", "0\nmain had much", undefined])("returns no damaged note: %j", async (damage) => {
    await (await openRepository({ url, folder })).writeNote("ledger", "main had 30");
    const file = join(folder, "meshroll-notes", "ledger");
    const kept = readFileSync(file, "utf8");
    writeFileSync(file, damage ?? kept.replace("30", "31"));
    const next = await openRepository({ url, folder });
    expect(await next.readNote("ledger")).toBeUndefined();
    writeFileSync(file, kept);
    expect(await next.readNote("ledger")).toBe("main had 30");
  });

  it("keeps its notes when it is replaced, except for another address", async () => {
    await (await openRepository({ url, folder })).writeNote("ledger", "main had 30");
    rmSync(join(folder, "HEAD"));
    expect(await (await openRepository({ url, folder })).readNote("ledger")).toBe("main had 30");
    expect(await (await openRepository({ url: `${url}/other`, folder })).readNote("ledger")).toBeUndefined();
  });

  it("is taken over from the earlier process", async () => {
    await (await openRepository({ url, folder })).fetch();
    const path = url.slice("file://".length);
    rmSync(path, { recursive: true });
    const next = await openRepository({ url, folder });
    expect(await next.read(first, "rollouts.yml")).toBe("one\n");
  });

  it("fetches the ledger by its full name, without branches that begin like it", async () => {
    const path = url.slice("file://".length);
    const repository = await openRepository({ url, folder });
    const others = ["meshroll/ledger-2", "meshroll/ledgers", "meshroll/ledger-evil/x"].map((branch) =>
      remote.commitTo(branch, { files: { [branch]: `${"much ".repeat(1000)}${branch}` } }),
    );
    const isHere = (sha: string) => spawnSync("git", ["--git-dir", folder, "cat-file", "-e", sha]).status === 0;
    expect(await repository.fetch()).toEqual({ main: first });
    const ledger = remote.commitTo("meshroll/ledger", { files: { a: "b" } });
    expect(await repository.fetch()).toEqual({ main: first, ledger });
    expect(others.filter(isHere)).toEqual([]);
    execFileSync("git", ["--git-dir", path, "update-ref", "-d", "refs/heads/meshroll/ledger"]);
    expect(await repository.fetch()).toEqual({ main: first });
  });

  it("reads a pull request from the ref of its number where the server hands out no ids", async () => {
    const path = url.slice("file://".length);
    const onDisk = (...args: readonly string[]): void => void execFileSync("git", ["--git-dir", path, ...args]);
    onDisk("config", "uploadpack.allowAnySHA1InWant", "false");
    // The newest protocol hands out any id; a server with only the old one does not.
    const home = freshFolder();
    mkdirSync(home);
    writeFileSync(join(home, ".gitconfig"), "[protocol]\n\tversion = 0\n");
    vi.stubEnv("HOME", home);
    const head = remote.commitTo("fork", { files: { "rollouts.yml": "theirs\n" } });
    onDisk("update-ref", "refs/pull/7/head", head);
    remote.removeBranch("fork");
    const repository = await openRepository({ url, folder });
    await repository.fetchPullRequest(7, head);
    expect(await repository.read(head, "rollouts.yml")).toBe("theirs\n");
    onDisk("update-ref", "refs/pull/7/head", first);
    const late = await openRepository({ url, folder: freshFolder() });
    await expect(late.fetchPullRequest(7, head)).rejects.toThrow(GitRefused);
    vi.unstubAllEnvs();
  });

  const harms: readonly { readonly name: string; readonly harm: (folder: string) => void }[] = [
    {
      name: "every object is cut to nothing",
      harm(clone) {
        for (const file of listFiles(join(clone, "objects"))) {
          // git makes objects read-only; only root may cut one that is.
          chmodSync(file, 0o644);
          truncateSync(file);
        }
      },
    },
    { name: "HEAD is gone", harm: (clone) => rmSync(join(clone, "HEAD")) },
    { name: "the whole folder is gone", harm: (clone) => rmSync(clone, { recursive: true }) },
    { name: "the settings are garbage", harm: (clone) => writeFileSync(join(clone, "config"), "[[[") },
    {
      name: "a killed process left a lock",
      harm: (clone) => writeFileSync(join(clone, "refs/meshroll/heads/main.lock"), ""),
    },
  ];
  for (const { name, harm } of harms) {
    it(`is replaced under a running process when ${name}`, async () => {
      const repository = await openRepository({ url, folder });
      await repository.fetch();
      harm(folder);
      const second = remote.commitToMain({ files: { "rollouts.yml": "two\n" } });
      expect(await repository.fetch()).toEqual({ main: second });
      expect(await repository.read(first, "rollouts.yml")).toBe("one\n");
    });
    it(`is replaced at the next start when ${name}`, async () => {
      await (await openRepository({ url, folder })).fetch();
      harm(folder);
      const second = remote.commitToMain({ files: { "rollouts.yml": "two\n" } });
      const next = await openRepository({ url, folder });
      expect(await next.fetch()).toEqual({ main: second });
      expect(await next.read(second, "rollouts.yml")).toBe("two\n");
    });
  }

  it("of another address is replaced; a folder that meshroll did not make is never changed", async () => {
    await (await openRepository({ url, folder })).fetch();
    const otherPath = freshFolder();
    const other = openBareRemote(otherPath).commitToMain({ files: { x: "y" } });
    expect(await (await openRepository({ url: `file://${otherPath}`, folder })).fetch()).toEqual({ main: other });
    const precious = freshFolder();
    mkdirSync(precious);
    writeFileSync(join(precious, "thesis.txt"), "years of work");
    await expect(openRepository({ url, folder: precious })).rejects.toThrow(GitRefused);
    await expect(openRepository({ url, folder: otherPath })).rejects.toThrow(GitRefused);
    expect(readFileSync(join(precious, "thesis.txt"), "utf8")).toBe("years of work");
  });

  it("runs no hook of the clone, the template or the remote's tree", async () => {
    const repository = await openRepository({ url, folder });
    await repository.fetch();
    const planted = join(root, "planted");
    mkdirSync(join(folder, "hooks"), { recursive: true });
    for (const hook of ["pre-push", "reference-transaction", "post-checkout"]) {
      writeFileSync(join(folder, "hooks", hook), `#!/bin/sh\ntouch ${planted}\n`, { mode: 0o755 });
    }
    remote.commitToMain({
      files: { ".gitattributes": "* filter=evil\n", ".gitmodules": `[submodule "x"]\n\turl = ext::touch ${planted}\n` },
    });
    await repository.fetch();
    await repository.commitAndPush({
      branch: "b",
      startAt: first,
      files: { x: "y" },
      message: "m",
      author: { name: "a", email: "e" },
    });
    expect(existsSync(planted)).toBe(false);
  });

  it("keeps a name inside its field of the commit", async () => {
    const repository = await openRepository({ url, folder, now: () => 1_800_000_000_500 });
    await repository.fetch();
    const author = { name: "Eve <evil>\ncommitter", email: "a@b>\n" };
    const made = await repository.commitAndPush({
      branch: "b",
      startAt: first,
      files: {},
      message: "m\n\nfrom :1\ndata 3",
      author,
    });
    const [commit] = await repository.firstParents(first, made.kind === "pushed" ? made.sha : "");
    expect(commit).toMatchObject({
      author: "Eve evilcommitter",
      at: 1_800_000_000_000,
      message: "m\n\nfrom :1\ndata 3",
    });
  });
});

describe("the address", () => {
  const cases: readonly { readonly name: string; readonly url: string }[] = [
    { name: "a helper that runs a command", url: "ext::sh -c touch% /tmp/x" },
    { name: "an option", url: "--upload-pack=touch /tmp/x" },
    { name: "git's own unencrypted protocol", url: "git://host/repo" },
    { name: "a password in it", url: "https://me:secret@host/repo" },
    { name: "a token before the host", url: "https://ghs_secret@host/repo" },
    { name: "a token before the host, encoded", url: "https://ghs%5Fsecret@host/repo" },
    { name: "a token and an empty password", url: "https://ghs_secret:@host/repo" },
    { name: "only an at sign and a password", url: "https://:secret@host/repo" },
    { name: "a token before the host of SSH", url: "ssh://ghp_secret@host/o/r.git" },
    { name: "a password for SSH", url: "ssh://git:secret@host/o/r.git" },
    { name: "a token before the host of a short SSH address", url: "ghp_secret@host:o/r.git" },
    { name: "a user before the host of a file", url: "file://secret@host/o/r.git" },
    { name: "a token in its query", url: "https://host/repo?access_token=secret" },
    { name: "a token in its fragment", url: "https://host/repo#secret" },
    { name: "nothing", url: "" },
    { name: "a relative path", url: "repo" },
  ];
  for (const { name, url } of cases) {
    it(`is refused when it is ${name}`, async () => {
      const error: unknown = await openRepository({ url, folder: freshFolder() }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(GitRefused);
      expect(inspect(error, { depth: 10 })).not.toContain("secret");
    });
  }

  it.each([301, 302, 307, 308])(
    "that redirects with %d is refused, and the other host hears nothing",
    async (status) => {
      const heard: string[] = [];
      const other = await serve((request, response) => {
        heard.push(`${request.url} ${request.headers.authorization}`);
        response.writeHead(404).end();
      });
      const first = await serve((request, response) => {
        response.writeHead(status, { location: `${other}${request.url}` }).end();
      });
      const home = freshFolder();
      mkdirSync(home);
      writeFileSync(join(home, ".gitconfig"), `[http "${first}"]\n\tfollowRedirects = true\n`);
      vi.stubEnv("HOME", home);
      const credentials = { token: "ghs_verysecret" };
      const repository = await openRepository({ url: `${first}/o/r.git`, folder: freshFolder(), credentials });
      await expect(repository.fetch()).rejects.toThrow(/redirects/);
      await expect(repository.fetch()).rejects.toBeInstanceOf(GitRefused);
      expect(heard).toEqual([]);
    },
  );

  it("without a server is unavailable, and the token is in no error", async () => {
    const credentials = { token: "ghs_verysecret" };
    const encoded = Buffer.from(`x-access-token:${credentials.token}`).toString("base64");
    const repository = await openRepository({ url: "http://127.0.0.1:9/o/r.git", folder: freshFolder(), credentials });
    const error: unknown = await repository.fetch().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GitUnavailable);
    const shown = inspect(error, { depth: 20, showHidden: true });
    expect(shown).not.toContain(credentials.token);
    expect(shown).not.toContain(encoded);
    expect(shown).toContain("git ls-remote http://127.0.0.1:9/o/r.git");
  });
});
