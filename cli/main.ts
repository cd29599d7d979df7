import { basename } from "node:path";

import { completeVerb, kubectlCompleteVerb, run } from "./run.ts";
import { calledAs } from "./terminal/called-as.ts";
import type { Terminal } from "./terminal/terminal.ts";

// A reader such as `| head` closes the pipe early, which is not a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

const program = basename(process.argv[1] ?? "");
const isPlugin = /^kubectl(?:-|_complete-)meshroll(?:\.mjs)?$/u.test(program);
const args = program.startsWith("kubectl_complete-") ? [kubectlCompleteVerb] : [];

const terminal: Terminal = {
  // Opened only by commands that read it, because that takes time.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: isPlugin ? { ...process.env, [calledAs]: "kubectl meshroll" } : process.env,
  cwd: process.cwd(),
};
// The code is set, not exited with, so that pending output is written.
process.exitCode = await run([...args, ...process.argv.slice(2)], terminal);
// For a shell's completion a bus that has not answered is not waited for.
if (args.length > 0 || process.argv[2] === completeVerb) process.exit();
