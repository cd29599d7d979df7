import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

/** The hands of a stranger who writes git objects as they please, and pushes them over HTTP as a person. */
export interface HostileHands {
  /** An entry of `git mktree`: this text as a file. */
  file(path: string, text: string): string;
  /** The same as a link. */
  link(path: string, text: string): string;
  /** A folder of these entries. */
  folder(path: string, entries: readonly string[]): string;
  /** Pushes main with these entries in place of its own of the same names; answers the head. */
  push(branch: string, entries: readonly string[]): Promise<string>;
}

/** Objects go into the server's own folder, as a push would bring them; the branch itself is pushed by the person's token. */
export function openHostileHands(gitFolder: string, gitUrl: string, token: string): HostileHands {
  const login = Buffer.from(`x-access-token:${token}`).toString("base64");
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraHeader",
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${login}`,
  };
  const options = { cwd: gitFolder, env };
  const write = (args: readonly string[], input = ""): string =>
    execFileSync("git", args, { ...options, input })
      .toString()
      .trim();
  const stored = new Map<string, string>();
  const store = (args: readonly string[], text: string): string => {
    const key = `${args[0]} ${text}`;
    const id = stored.get(key) ?? write(args, text);
    stored.set(key, id);
    return id;
  };
  const storeText = (text: string): string => store(["hash-object", "-w", "--stdin"], text);
  const tree = (entries: readonly string[]): string => store(["mktree"], entries.map((each) => `${each}\n`).join(""));
  const readName = (entry: string): string | undefined => entry.split("\t")[1];
  return {
    folder: (path, entries) => `040000 tree ${tree(entries)}\t${path}`,
    file: (path, text) => `100644 blob ${storeText(text)}\t${path}`,
    link: (path, text) => `120000 blob ${storeText(text)}\t${path}`,
    async push(branch, entries) {
      const main = write(["rev-parse", "refs/heads/main"]);
      const names = new Set(entries.map(readName));
      const kept = write(["ls-tree", main])
        .split("\n")
        .filter((each) => !names.has(readName(each)));
      const author = ["-c", "user.name=eve", "-c", "user.email=eve@example.com"];
      const head = write([...author, "commit-tree", tree([...kept, ...entries]), "-p", main, "-m", "hello"]);
      // Never blocking: this process is the server.
      await promisify(execFile)("git", ["push", "-q", gitUrl, `${head}:refs/heads/${branch}`], options);
      return head;
    },
  };
}
