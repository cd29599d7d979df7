import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { isSent } from "../package/docker-context.ts";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

// `npm run test:package` runs the build itself (test/package/image.test.ts), which takes minutes.
describe("what the image is built from", () => {
  it.each([
    { path: "services/planner/main.ts", want: true },
    { path: "libs/git/process/limited-git.sh", want: true },
    { path: "docs/reference/findings.md", want: true },
    { path: "scripts/package/main.ts", want: true },
    { path: "package-lock.json", want: true },
    { path: "docs/adr/README.md", want: false },
    { path: "sandbox/demo/main.ts", want: false },
    { path: "test/run.ts", want: false },
    { path: "node_modules/pino/package.json", want: false },
    { path: "dist/package/package.json", want: false },
    { path: ".env", want: false },
    { path: ".git/config", want: false },
    { path: "libs/rollouts/parse.test.ts", want: false },
    { path: "libs/bus/fake.ts", want: false },
    { path: "scripts/check.ts", want: false },
  ])("$path is sent: $want", ({ path, want }) => expect(isSent(path)).toBe(want));
});

describe("the image's health check", () => {
  const probe = join(root, "scripts", "probe-health.mjs");

  /** A server in this process; it can answer because the probe runs asynchronously. */
  async function ask(status: number): Promise<number | null> {
    const server = createServer((_request, response) => void response.writeHead(status).end("so it is"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const child = spawn(process.execPath, [probe, String(port)], { stdio: "ignore" });
    const [code] = (await once(child, "close")) as [number | null];
    server.close();
    return code;
  }

  it.each([
    { status: 200, want: 0 },
    { status: 503, want: 1 },
  ])("ends with $want for an answer of $status", async ({ status, want }) => expect(await ask(status)).toBe(want));

  it("ends with 1 without an answer, and without an address", () => {
    expect(spawnSync(process.execPath, [probe, "1"]).status).toBe(1);
    expect(spawnSync(process.execPath, [probe], { env: {} }).status).toBe(1);
  });
});
