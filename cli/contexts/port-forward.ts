import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { PortForwardPlan } from "./config-form.ts";

/** An API server far away takes seconds, real ms. */
const limitMs = 20_000;
const lookEveryMs = 50;
/** Of what kubectl says when it fails, for people. */
const mostSaid = 2000;

/** A port of this machine that is free now; if another program takes it first, kubectl says so and ends. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false; // Nothing listens yet.
  } finally {
    socket.destroy();
  }
}

/** What kubectl is called with. */
function listArguments(plan: PortForwardPlan, port: number, env: Terminal["env"]): readonly string[] {
  const { context, namespace, target, port: remote } = plan;
  const kubeconfig = env["MESHROLL_KUBECONFIG"];
  return [
    ...(kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig]),
    ...(context === undefined ? [] : ["--context", context]),
    "--namespace",
    namespace,
    "port-forward",
    "--address",
    "127.0.0.1",
    target,
    `${port}:${remote}`,
  ];
}

function refuse(args: readonly string[], why: string): Refusal {
  return new Refusal(exitCodes.unavailable, `the bus cannot be reached by kubectl port-forward: ${why}`, [
    "try:  ",
    { command: ["kubectl", ...args].join(" ") },
  ]);
}

/**
 * Opens a way to a service inside of a cluster, by the kubectl that is there: it has the logins of the kubeconfig, and speaks to every
 * version of the API server. Answers the port on this machine; kubectl ends with the command.
 */
export async function openPortForward(plan: PortForwardPlan, terminal: Terminal): Promise<number> {
  const port = await findFreePort();
  const args = listArguments(plan, port, terminal.env);
  terminal.explain?.(() => ["kubectl", ...args].join(" "));
  const PATH = terminal.env["PATH"] ?? process.env["PATH"] ?? "";
  const child = spawn("kubectl", args, { env: { ...process.env, PATH }, stdio: ["ignore", "ignore", "pipe"] });
  terminal.atEnd?.(() => void child.kill());
  let said = "";
  let why: string | undefined;
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(-mostSaid)));
  child.on("error", (error) => (why ??= `kubectl did not start: ${error.message}`));
  child.on("exit", (code) => (why ??= `kubectl ended with ${String(code)}: ${said.trim()}`));
  const endAt = performance.now() + limitMs;
  while (why === undefined && performance.now() < endAt) {
    if (await isOpen(port)) return port;
    await sleep(lookEveryMs);
  }
  child.kill();
  throw refuse(args, why ?? `nothing listened within ${limitMs / 1000} s`);
}
