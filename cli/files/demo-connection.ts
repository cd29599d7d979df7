import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How to reach a demo that runs on this computer; the demo writes it, and removes it when it ends. */
export interface DemoConnection {
  readonly pid: number;
  readonly natsUrl: string;
  readonly installation: string;
  readonly repoUrl: string;
  readonly gitToken: string;
  readonly githubUrl: string;
  readonly kubeconfig: string;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // No such process: the demo was killed before it could clean up.
  }
}

/** The demo started from this folder, while it lives. */
export function findDemo(cwd: string): DemoConnection | undefined {
  const path = join(cwd, ".demo", "connection.json");
  if (!existsSync(path)) return undefined;
  const connection = JSON.parse(readFileSync(path, "utf8")) as DemoConnection;
  return isAlive(connection.pid) ? connection : undefined;
}
