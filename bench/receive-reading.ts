import type { ChildProcess } from "node:child_process";

/** The first message of a process; rejects, with its name, when it ends before. */
export async function receiveReading(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`${name} ended early: ${signal ?? code}`)));
  });
}
