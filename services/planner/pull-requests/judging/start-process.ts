import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

import { type FromJudge, readAnswer, type ToJudge, writeFrame } from "./messages.ts";
import { type JudgeLimits, overTimeCode } from "./process-limits.ts";

/** Why the process ended, as far as the operating system tells. */
export type End = "time" | "memory" | "broken";

export type Reply =
  | { readonly kind: "answered"; readonly message: FromJudge }
  | { readonly kind: "ended"; readonly end: End; readonly why: string };

/** One running judge process. Once it has ended, every reply says so. */
export interface JudgeProcess {
  readonly pid: number | undefined;
  /** Sends one message and waits for its answer; one at a time. */
  request(message: ToJudge): Promise<Reply>;
  hasEnded(): boolean;
  /** Kills the process at once; `why` becomes the pending reply's reason. */
  kill(end: End, why: string): void;
}

/** Compiled like this file: `.ts` in a checkout, `.js` in the package. */
const entry = fileURLToPath(new URL(`judge-process${extname(import.meta.filename)}`, import.meta.url));
/** How many characters of its standard error are kept, from the end. */
const keptErrors = 4000;

function start({ memoryMib, timeMs }: JudgeLimits): ChildProcess {
  const flags = ["--permission", "--allow-fs-read=*", `--max-old-space-size=${memoryMib}`, "--no-warnings"];
  // An empty environment: no token, no address, nothing that a library might read.
  return spawn(process.execPath, [...flags, entry, String(timeMs)], { env: {}, stdio: ["pipe", "pipe", "pipe"] });
}

/** Under memory pressure Linux kills this process before the planner; elsewhere the file does not exist. */
function preferForOomKill(pid: number): void {
  writeFile(`/proc/${pid}/oom_score_adj`, "500").catch(() => undefined);
}

function explainExit(code: number | null, signal: NodeJS.Signals | null, errors: string): Reply {
  if (code === overTimeCode) return { kind: "ended", end: "time", why: "it ended itself after its time" };
  const isMemory = /heap out of memory|allocation failed/i.test(errors) || signal === "SIGKILL" || signal === "SIGABRT";
  const how = signal === null ? `code ${code ?? "unknown"}` : signal;
  return { kind: "ended", end: isMemory ? "memory" : "broken", why: `the judge's process ended with ${how}` };
}

/** Starts a process, without a snapshot. */
export function startJudgeProcess(limits: JudgeLimits): JudgeProcess {
  const child = start(limits);
  let errors = "";
  let parts: string[] = [];
  let bytes = 0;
  let ended: Reply | undefined;
  let waiting: ((reply: Reply) => void) | undefined;

  function reply(answer: Reply): void {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(answer);
  }

  function end(by: Reply): void {
    ended ??= by;
    child.kill("SIGKILL");
    reply(ended);
  }

  function takeLine(line: string): void {
    const message = readAnswer(line);
    if (message !== undefined) reply({ kind: "answered", message });
    else end({ kind: "ended", end: "broken", why: "the judge's process sent an invalid answer" });
  }

  function take(chunk: string): void {
    bytes += chunk.length;
    if (bytes > limits.answerBytes) {
      end({ kind: "ended", end: "memory", why: `the answer is larger than ${limits.answerBytes / 1024 / 1024} MiB` });
      return;
    }
    parts.push(chunk);
    if (!chunk.endsWith("\n")) return;
    const line = parts.join("");
    [parts, bytes] = [[], 0];
    takeLine(line);
  }

  if (child.pid !== undefined) preferForOomKill(child.pid);
  child.stdout?.setEncoding("utf8").on("data", take);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-keptErrors)));
  child.on("error", ({ message }) => end({ kind: "ended", end: "broken", why: message }));
  // `close`, not `exit`: standard error was read to its end.
  child.on("close", (code, signal) => end(explainExit(code, signal, errors)));
  // Writing to a process that has ended fails; `close` reports the end.
  child.stdin?.on("error", () => undefined);

  return {
    pid: child.pid,
    hasEnded: () => ended !== undefined,
    async request(message) {
      if (ended !== undefined) return ended;
      const { promise, resolve } = Promise.withResolvers<Reply>();
      waiting = resolve;
      child.stdin?.write(writeFrame(message));
      return promise;
    },
    kill: (how, why) => end({ kind: "ended", end: how, why }),
  };
}
