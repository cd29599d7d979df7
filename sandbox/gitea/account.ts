import { readFileSync } from "node:fs";

/** An account of this machine with few rights. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The account without rights on most Linux systems; it owns no files. */
const leastRights = 65_534;

/** The account that runs a server which refuses to run as root; undefined where this process is not root. */
export function findAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = readFileSync("/etc/passwd", "utf8").split("\n");
  const accounts = rows
    .map((row) => row.split(":"))
    .map(([name = "", , uid, gid]) => {
      return { name, uid: Number(uid), gid: Number(gid) };
    });
  const found = accounts.find(({ uid }) => uid === leastRights) ?? accounts.find(({ uid }) => uid > 0);
  if (found === undefined) throw new Error("this is root, and /etc/passwd names no other account for Gitea to run as");
  return found;
}
