import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:net";
import { once } from "node:events";
import { PassThrough } from "node:stream";

import { openSession } from "../terminal/session.ts";
import { makeFolder, runCli } from "#test/run-cli";
import { describe, expect, it, vi } from "vitest";

import { addLogin } from "./context-environment.ts";
import { openPortForward } from "./port-forward.ts";

/** A stand-in for kubectl: records how it was called, listens on its own port, and greets as a NATS server does. */
const listening = `#!/usr/bin/env node
const { createServer } = require("node:net");
const { writeFileSync } = require("node:fs");
const ours = Object.keys(process.env).filter((name) => name.startsWith("MESHROLL_"));
writeFileSync(process.argv[1] + ".args", [...process.argv.slice(2), "/", ...ours].join(" "));
const server = createServer((socket) => socket.end("INFO {}")).listen(0, "127.0.0.1", () => {
  console.log("Forwarding from 127.0.0.1:" + server.address().port + " -> 4222");
});
process.on("SIGTERM", () => { writeFileSync(process.argv[1] + ".ended", ""); process.exit(0); });
`;
const refusing = `#!/bin/sh\necho 'Error from server (Forbidden): pods "nats-0" is forbidden' >&2\nexit 1\n`;

function makeKubectl(program: string) {
  const folder = makeFolder({ kubectl: program });
  chmodSync(join(folder, "kubectl"), 0o755);
  const session = openSession({
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    cwd: folder,
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, MESHROLL_KUBECONFIG: "/k" },
  });
  return { file: join(folder, "kubectl"), session };
}

const plan = { context: "prod-a", namespace: "meshroll-system", target: "service/nats", port: 4222 };

describe("a bus inside of a cluster", () => {
  it("is reached at kubectl's port; kubectl gets no variable of meshroll, and ends with the command", async () => {
    vi.stubEnv("MESHROLL_GIT_TOKEN", "secret");
    const { file, session } = makeKubectl(listening);
    const port = await openPortForward(plan, session.terminal);
    const socket = connect({ host: "127.0.0.1", port });
    const [greeting] = (await once(socket, "data")) as [Buffer];
    expect(greeting.toString()).toBe("INFO {}");
    expect(readFileSync(`${file}.args`, "utf8")).toBe(
      `--kubeconfig /k --context prod-a --namespace meshroll-system port-forward --address 127.0.0.1 service/nats :4222 /`,
    );
    await session.close();
    await expect.poll(() => existsSync(`${file}.ended`)).toBe(true);
  });

  it("shows kubectl's error and what to try when it is not reached", async () => {
    const { session } = makeKubectl(refusing);
    await expect(openPortForward(plan, session.terminal)).rejects.toMatchObject({
      exitCode: 69,
      message: expect.stringMatching(/kubectl ended with 1: Error from server \(Forbidden\)/u) as string,
    });
  });

  it("is used by a context with portForward, unless a flag or a variable names a bus", async () => {
    const { file } = makeKubectl(refusing);
    const config = makeFolder({
      "c.yml":
        "apiVersion: meshroll.dev/v1\nkind: Config\ncurrent: a\ncontexts: { a: { nats: { portForward: {} } } }\n",
    });
    const env = { MESHROLL_CONFIG: join(config, "c.yml"), PATH: `${join(file, "..")}:${process.env["PATH"] ?? ""}` };
    const reached = await runCli(["status"], { env });
    expect(reached).toMatchObject({ code: 69, stderr: expect.stringContaining("kubectl port-forward") });
    const named = await runCli(["status"], { env: { ...env, MESHROLL_NATS_URL: "nats://127.0.0.1:9" } });
    expect(named.stderr).not.toContain("port-forward");
  });
});

describe("a login of a bus", () => {
  it.each([
    { url: "nats://host:4222", login: "cli:p@ss/1", want: "nats://cli:p%40ss%2F1@host:4222" },
    { url: "tls://host", login: "token", want: "tls://token@host" },
    { url: "host:4222", login: "a:b", want: "nats://a:b@host:4222" },
  ])("$login at $url", ({ url, login, want }) => expect(addLogin(url, login)).toBe(want));
});
