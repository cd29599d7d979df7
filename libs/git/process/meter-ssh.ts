import { spawn } from "node:child_process";

/**
 * git runs this in place of ssh, as `node meter-ssh.ts BYTES SECONDS ARGUMENTS…`: it runs the command of `MESHROLL_SSH_COMMAND`
 * with the arguments and copies both directions. It ends a connection that carries fewer bytes a second for that many seconds,
 * as `http.lowSpeedLimit` does for http: ssh itself notices a dead host, but not a silent git.
 */
const [bytesPerSecond = "", seconds = "", ...args] = process.argv.slice(2);
const command = process.env["MESHROLL_SSH_COMMAND"] ?? "ssh";

// A process group of its own, so that a shell's children end with it.
const ssh = spawn("sh", ["-c", `${command} "$@"`, "sh", ...args], {
  stdio: ["pipe", "pipe", "inherit"],
  detached: true,
});
let carried = 0;
let slowFor = 0;

function endAll(code: number): void {
  clearInterval(watch);
  process.exitCode = code;
  try {
    if (ssh.pid !== undefined) process.kill(-ssh.pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}

function count(chunk: Buffer): void {
  carried += chunk.length;
}

const watch = setInterval(() => {
  slowFor = carried < Number(bytesPerSecond) ? slowFor + 1 : 0;
  carried = 0;
  if (slowFor < Number(seconds)) return;
  process.stderr.write(`fatal: ssh carried fewer than ${bytesPerSecond} bytes a second for ${seconds} s\n`);
  endAll(1);
}, 1000);

process.stdin.on("data", count).pipe(ssh.stdin);
ssh.stdout.on("data", count).pipe(process.stdout);
// When one side ends, the other one sees its pipe closed.
ssh.stdin.on("error", () => undefined);
process.stdout.on("error", () => endAll(1));
ssh.on("error", () => endAll(1));
ssh.on("close", (code) => {
  if (process.exitCode === undefined) endAll(code ?? 1);
  process.stdin.destroy();
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => endAll(1));
