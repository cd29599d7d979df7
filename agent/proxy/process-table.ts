import { open, readdir } from "node:fs/promises";
import { setTimeout as sleepReal } from "node:timers/promises";

import { readMark } from "./mark.ts";
import type { ProxyProcess } from "./port.ts";

/**
 * Variables by which an agent finds the proxies that it or an earlier agent started. A file of process ids could be from
 * another boot.
 */
export const marks = {
  root: "MESHROLL_AGENT_ROOT",
  digest: "MESHROLL_ARTIFACT",
  epoch: "MESHROLL_RESTART_EPOCH",
  /** A secret: any user of the VM could set the other variables. */
  mark: "MESHROLL_AGENT_MARK",
} as const;

/** Bytes of a first read: a `stat` has some hundred, the environment of our proxies too. */
const usualBytes = 4096;

/** The text of a process's file; undefined: the process ended meanwhile, or is another user's. */
async function readOf(pid: number, file: "environ" | "stat"): Promise<string | undefined> {
  try {
    const handle = await open(`/proc/${pid}/${file}`);
    try {
      // Not by `readFile`, which takes 64 kB for each file of /proc: with all processes of a VM that is tens of MB.
      const parts: string[] = [];
      for (let size = usualBytes; ; size = 16 * usualBytes) {
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size));
        if (bytesRead === 0) return parts.join("");
        parts.push(buffer.toString("latin1", 0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

interface Stat {
  readonly state: string;
  readonly session: number;
  readonly startedAt: number;
}

function parseStat(text = ""): Stat | undefined {
  // The name in brackets may contain blanks and brackets.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", , , session = ""] = fields;
  return text === "" ? undefined : { state, session: Number(session), startedAt: Number(fields[19]) };
}

/** Most tries for an empty environment, and real ms between two of them. */
const [mostLooks, lookEveryMs] = [40, 5];

/**
 * The environment of a process. It is empty for a moment while the process executes another program, as start scripts do, so an
 * empty one is read again. Another user's cannot be read; kernel threads lead no session. @internal
 */
export async function readEnvironment(pid: number): Promise<string> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const text = await readOf(pid, "environ");
    if (text !== "") return text ?? "";
    const stat = parseStat(await readOf(pid, "stat"));
    if (stat === undefined || stat.session !== pid || stat.state === "Z") return "";
    await sleepReal(lookEveryMs);
  }
  return "";
}

async function readProxy(pid: number, root: string, mark: string): Promise<(ProxyProcess & Stat) | undefined> {
  // A proxy's child processes have its variables too; only the proxy leads the session. Few processes lead one, so this goes first.
  const stat = parseStat(await readOf(pid, "stat"));
  if (stat === undefined || stat.session !== pid || stat.state === "Z") return undefined;
  const variables = new Map(
    (await readEnvironment(pid)).split("\0").map((line): [string, string] => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
  if (variables.get(marks.root) !== Buffer.from(root).toString("latin1") || variables.get(marks.mark) !== mark)
    return undefined;
  return { pid, digest: variables.get(marks.digest) ?? "", epoch: Number(variables.get(marks.epoch) ?? 0), ...stat };
}

/** Proxies below `root`, oldest first. */
export async function findProxies(root: string): Promise<readonly ProxyProcess[]> {
  const mark = await readMark(root);
  if (mark === undefined) return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const proxies: (ProxyProcess & Stat)[] = [];
  // One after the other: all at once would keep a buffer for each process of the VM.
  for (const pid of pids) {
    const proxy = await readProxy(pid, root, mark);
    if (proxy !== undefined) proxies.push(proxy);
  }
  return proxies
    .toSorted((a, b) => a.startedAt - b.startedAt || a.epoch - b.epoch)
    .map(({ pid, digest, epoch }) => ({ pid, digest, epoch }));
}
