import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const image = mkdtempSync(join(tmpdir(), "meshroll-image-"));

/** The rules of .dockerignore, in their order: the last that matches a path or a folder above it counts. */
const rules = readFileSync(join(root, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ isKept: line.startsWith("!"), pattern: line.replace(/^!/, "") }));

/** A star of Docker's takes names that begin with a dot, one of Node's does not. */
function nameDots(path: string): string {
  return path.replaceAll(/(^|\/)\./g, "$1dot.");
}

function isSent(path: string): boolean {
  const above = nameDots(path)
    .split("/")
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
  return rules.findLast(({ pattern }) => above.some((each) => matchesGlob(each, nameDots(pattern))))?.isKept ?? true;
}

/** What the Dockerfile's last stage copies out of the checkout. */
function listCopied(): readonly (readonly string[])[] {
  const text = readFileSync(join(root, "Dockerfile"), "utf8");
  const last = text.slice(text.lastIndexOf("\nFROM "));
  return [...last.matchAll(/^COPY (?!--from)(.+)$/gm)].map((match) => (match[1] ?? "").split(" "));
}

/** Lays out the folder /app of the image, without an engine. */
function build(): void {
  for (const paths of listCopied()) {
    const [target = "", ...sources] = paths.toReversed();
    for (const source of sources) {
      const to = target.endsWith("/") ? join(image, target, source) : join(image, target);
      mkdirSync(dirname(to), { recursive: true });
      const filter = (from: string) => isSent(relative(root, from));
      cpSync(join(root, source), to, { recursive: true, filter });
    }
  }
  symlinkSync(join(root, "node_modules"), join(image, "node_modules"));
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { PATH = "" } = process.env;
  const flags = ["--disable-warning=ExperimentalWarning", ...args];
  return spawnSync(process.execPath, flags, { cwd: image, env: { PATH, ...env }, encoding: "utf8" });
}

beforeAll(build);
afterAll(() => rmSync(image, { recursive: true, force: true }));

describe("the image", () => {
  const services = readdirSync(join(root, "services")).filter((name) =>
    existsSync(join(root, "services", name, "main.ts")),
  );

  it.each(services)("has everything that %s imports: it starts, and misses only its environment", (name) => {
    const { status, stderr } = run([`services/${name}/main.ts`]);
    expect({ status, stderr }).toEqual({
      status: 78,
      stderr: expect.stringMatching(/^the environment is not usable:\n/) as string,
    });
  });

  it("has the command line", () => {
    const { status, stdout } = run(["cli/main.ts", "--help"]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("meshroll") as string });
  });

  it("holds no test, no stand-in, no history and no .env", () => {
    const names = readdirSync(image, { recursive: true, encoding: "utf8" });
    const wrong = names.filter(
      (name) =>
        !name.startsWith("node_modules") &&
        /\.test\.ts$|\/(?:fake|conformance)(?:\/|[^/]*\.ts$)|(?:^|\/)\.(?:env|git)/.test(name),
    );
    expect(wrong).toEqual([]);
    expect(names.length).toBeGreaterThan(100);
    for (const path of ["sandbox/demo/main.ts", "test/run.ts", ".env", ".git/config", "libs/rollouts/parse.test.ts"]) {
      expect({ path, isSent: isSent(path) }).toEqual({ path, isSent: false });
    }
  });
});

describe("its health check", () => {
  const probe = join(root, "scripts", "probe-health.mjs");

  /** A server in a process of its own would say the same; this one is answered while the probe is waited for. */
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
  ])("says $want to an answer of $status", async ({ status, want }) => expect(await ask(status)).toBe(want));

  it("says 1 without an answer, and without an address", () => {
    expect(spawnSync(process.execPath, [probe, "1"]).status).toBe(1);
    expect(spawnSync(process.execPath, [probe], { env: {} }).status).toBe(1);
  });
});
