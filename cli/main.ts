import { basename } from "node:path";

import { completeVerb, kubectlCompleteVerb, run } from "./run.ts";
import { calledAs } from "./terminal/called-as.ts";
import type { Terminal } from "./terminal/terminal.ts";

// A reader that has seen enough (`| head`) closes the pipe: that is no failure and nothing to talk about.
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
  // Looked at only by commands that read it: opening stdin takes time.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: isPlugin ? { ...process.env, [calledAs]: "kubectl meshroll" } : process.env,
  cwd: process.cwd(),
};
// The code is set rather than exited with: what is still on its way into a pipe would be lost.
process.exitCode = await run([...args, ...process.argv.slice(2)], terminal);
// A bus that has not answered at a prompt is left where it is: the person waits for this process.
if (args.length > 0 || process.argv[2] === completeVerb) process.exit();
