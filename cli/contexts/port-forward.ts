import { explainSystemError } from "#libs/input";
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { PortForwardPlan } from "./config-form.ts";

/** A distant API server takes seconds, real ms. */
const limitMs = 20_000;
const checkEveryMs = 50;
/** The length of kubectl's error output that is shown. */
const mostSaid = 2000;

/** kubectl's line with the port that it listens on, the only address to which a login may be sent. */
const forwarding = /^Forwarding from 127\.0\.0\.1:(\d+) -> /mu;

/** What kubectl is called with. */
function listArguments(plan: PortForwardPlan, env: Terminal["env"]): readonly string[] {
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
    `:${remote}`,
  ];
}

/** The environment of kubectl and its plugins: without meshroll's variables, which include tokens. */
function listEnvironment({ PATH }: Terminal["env"]): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("MESHROLL_"));
  return { ...Object.fromEntries(kept), PATH: PATH ?? process.env["PATH"] ?? "" };
}

function refuse(args: readonly string[], why: string): Refusal {
  return new Refusal(exitCodes.unavailable, `the bus cannot be reached by kubectl port-forward: ${why}`, [
    "try:  ",
    { command: ["kubectl", ...args].join(" ") },
  ]);
}

/**
 * Opens a port forward to a service in a cluster by kubectl, which has the kubeconfig's logins and fits the API server. kubectl
 * chooses the port: a port chosen in advance could belong to another program, which would get the login. Returns the port.
 */
export async function openPortForward(plan: PortForwardPlan, terminal: Terminal): Promise<number> {
  const args = listArguments(plan, terminal.env);
  terminal.explain?.(() => ["kubectl", ...args].join(" "));
  const child = spawn("kubectl", args, { env: listEnvironment(terminal.env), stdio: ["ignore", "pipe", "pipe"] });
  terminal.atEnd?.(() => void child.kill());
  let [said, printed] = ["", ""];
  let why: string | undefined;
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(-mostSaid)));
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed = `${printed}${text}`.slice(-mostSaid)));
  child.on("error", (error) => (why ??= `kubectl did not start: ${explainSystemError(error)}`));
  child.on("exit", (code) => (why ??= `kubectl ended with ${String(code)}: ${said.trim()}`));
  const endAt = performance.now() + limitMs;
  while (why === undefined && performance.now() < endAt) {
    const port = forwarding.exec(printed)?.[1];
    if (port !== undefined) return Number(port);
    await sleep(checkEveryMs);
  }
  child.kill();
  throw refuse(args, why ?? `it opened no port within ${limitMs / 1000} s`);
}
