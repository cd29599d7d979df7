import { completeVerb, run } from "./run.ts";
import type { Terminal } from "./terminal/terminal.ts";

// A reader that has seen enough (`| head`) closes the pipe: that is no failure and nothing to talk about.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

const terminal: Terminal = {
  // Looked at only by commands that read it: opening stdin takes time.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
};
// The code is set rather than exited with: what is still on its way into a pipe would be lost.
process.exitCode = await run(process.argv.slice(2), terminal);
// A bus that has not answered at a prompt is left where it is: the person waits for this process.
if (process.argv[2] === completeVerb) process.exit();
