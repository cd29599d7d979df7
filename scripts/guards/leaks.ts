import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Complaint } from "./complaint.ts";

/** Names that identify the machine of the checkout and must not be committed. */
export interface Machine {
  /** Host names of the package registries that it installs from. */
  readonly hosts: readonly string[];
  /** Folders of this machine: the checkout and its parent. */
  readonly folders: readonly string[];
}

/** Well-known registries: a mirror's address in a lock file or a script would bind all users to that mirror. */
const registries =
  /\b(?:registry\.(?:npmjs|yarnpkg|npmmirror)|(?:proxy|sum)\.golang|pypi\.(?:org|python)|files\.pythonhosted)\b/;

function readHost(address: string | undefined): readonly string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const host = new URL(address).hostname;
  return host === "" || host === "localhost" || host === "127.0.0.1" ? [] : [host];
}

/** Reads from npm and the environment where this machine installs from. */
export function readMachine(root: string): Machine {
  const npm = spawnSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" }).stdout ?? "";
  const proxies = (process.env["GOPROXY"] ?? "").split(/[,|]/);
  const addresses = [npm.trim(), process.env["PIP_INDEX_URL"], process.env["PIP_EXTRA_INDEX_URL"], ...proxies];
  const parent = dirname(root);
  // Every machine has a temporary folder and a root: their names reveal nothing.
  const folders = [root, parent].filter((folder) => ![tmpdir(), "/tmp", "/"].includes(folder));
  return { hosts: [...new Set(addresses.flatMap(readHost))], folders };
}

/** True when `text` contains `word` as a whole, not as a part of a longer one (`/srv/app` in `/data/srv/apple`). */
function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + word.length] ?? " ";
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}

/** Complains about each line that names a package registry's host or a folder of this machine. */
export function findLeaks(path: string, text: string, machine: Machine): readonly Complaint[] {
  return text.split("\n").flatMap((line, index) => {
    const host = registries.exec(line)?.[0] ?? machine.hosts.find((name) => containsWord(line, name));
    const folder = machine.folders.find((name) => containsWord(line, name));
    return [
      ...(host === undefined ? [] : [{ path, line: index + 1, message: `names the package registry ${host}` }]),
      ...(folder === undefined
        ? []
        : [{ path, line: index + 1, message: `names ${folder}, a folder of this machine` }]),
    ];
  });
}
