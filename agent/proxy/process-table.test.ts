import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, it } from "vitest";

import { readEnvironment } from "./process-table.ts";

const launches = 150;
/** Real ms in which a shell has certainly executed its program. */
const watchMs = 12;

it("a process that executes another program always has its environment in the process table", async () => {
  let [looks, empty] = [0, 0];
  for (let launch = 0; launch < launches; launch += 1) {
    const child = spawn("/bin/sh", ["-c", "exec sleep 5"], { detached: true, env: { A: "1" }, stdio: "ignore" });
    await once(child, "spawn");
    const until = performance.now() + watchMs;
    while (performance.now() < until) {
      looks += 1;
      if ((await readEnvironment(child.pid ?? 0)) === "") empty += 1;
    }
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  expect(looks).toBeGreaterThan(launches);
  expect(empty).toBe(0);
});
