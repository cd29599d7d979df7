import { spawnSync } from "node:child_process";

import { explainSystemError, lookUp } from "#libs/input";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { SecretSource } from "./config-form.ts";

/** A person may have to touch a key, real ms. */
const limitMs = 60_000;

function refuse(what: string, [program = ""]: readonly string[], why: string): Refusal {
  return new Refusal(exitCodes.environment, `${what} cannot be read: ${program} ${why}`, "run it by itself to see why");
}

/** The output of a context's command without its line end. It runs without a shell. `what` names the field. */
function runCommand(what: string, command: readonly string[], terminal: Terminal): string {
  const [program = "", ...args] = command;
  terminal.explain?.(() => `${what}: runs ${program}`);
  const { PATH } = { PATH: terminal.env["PATH"] ?? process.env["PATH"] ?? "" };
  const done = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, PATH },
    timeout: limitMs,
    // Its messages are shown; its output is the secret.
    stdio: ["inherit", "pipe", "inherit"],
  });
  if (done.error !== undefined) throw refuse(what, command, `did not run: ${explainSystemError(done.error)}`);
  if (done.status !== 0) throw refuse(what, command, `ended with ${String(done.status ?? done.signal)}`);
  const secret = done.stdout.trim();
  if (secret === "" || /\s/u.test(secret)) throw refuse(what, command, "did not print exactly one word");
  return secret;
}

/** A secret from a variable or a command; undefined for a variable that is not set. */
export function readSecret(what: string, source: SecretSource, terminal: Terminal): string | undefined {
  if ("env" in source) return lookUp(terminal.env, source.env);
  return runCommand(what, source.command, terminal);
}
