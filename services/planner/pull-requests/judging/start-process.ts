import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

import { type FromJudge, readAnswer, type ToJudge, writeFrame } from "./messages.ts";
import { type JudgeLimits, overTimeCode } from "./process-limits.ts";

/** How the process ended, distinguished as far as an operating system tells it. */
export type End = "time" | "memory" | "broken";

export type Reply =
  | { readonly kind: "said"; readonly message: FromJudge }
  | { readonly kind: "ended"; readonly end: End; readonly why: string };

/** One running process of the judge. After it ended, every reply says so. */
export interface JudgeProcess {
  readonly pid: number | undefined;
  /** Sends one message and waits for what is said to it; one at a time. */
  request(message: ToJudge): Promise<Reply>;
  hasEnded(): boolean;
  /** Ends it at once, whatever it does; `why` is what the reply that is waited for says. */
  kill(end: End, why: string): void;
}

/** Compiled as this file is: `.ts` in a checkout, `.js` in the package. */
const entry = fileURLToPath(new URL(`judge-process${extname(import.meta.filename)}`, import.meta.url));
/** Kept of what it wrote to standard error: its last words. */
const keptErrors = 4000;

function start({ memoryMib, timeMs }: JudgeLimits): ChildProcess {
  const flags = ["--permission", "--allow-fs-read=*", `--max-old-space-size=${memoryMib}`, "--no-warnings"];
  // An empty environment: no token, no address, nothing that a library might read.
  return spawn(process.execPath, [...flags, entry, String(timeMs)], { env: {}, stdio: ["pipe", "pipe", "pipe"] });
}

/** When the machine's memory is used up, this process is the one to end and not the planner; where the system knows that. */
function offerFirst(pid: number): void {
  writeFile(`/proc/${pid}/oom_score_adj`, "500").catch(() => undefined);
}

function explainExit(code: number | null, signal: NodeJS.Signals | null, errors: string): Reply {
  if (code === overTimeCode) return { kind: "ended", end: "time", why: "it ended itself after its time" };
  const isMemory = /heap out of memory|allocation failed/i.test(errors) || signal === "SIGKILL" || signal === "SIGABRT";
  const how = signal === null ? `code ${code ?? "unknown"}` : signal;
  return { kind: "ended", end: isMemory ? "memory" : "broken", why: `the judge's process ended with ${how}` };
}

/** Starts one. It is told nothing yet. */
export function startJudgeProcess(limits: JudgeLimits): JudgeProcess {
  const child = start(limits);
  let errors = "";
  let parts: string[] = [];
  let bytes = 0;
  let ended: Reply | undefined;
  let waiting: ((reply: Reply) => void) | undefined;

  function reply(with_: Reply): void {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(with_);
  }

  function end(by: Reply): void {
    ended ??= by;
    child.kill("SIGKILL");
    reply(ended);
  }

  function takeLine(line: string): void {
    const message = readAnswer(line);
    if (message !== undefined) reply({ kind: "said", message });
    else end({ kind: "ended", end: "broken", why: "the judge's process said what no judge says" });
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

  if (child.pid !== undefined) offerFirst(child.pid);
  child.stdout?.setEncoding("utf8").on("data", take);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-keptErrors)));
  child.on("error", ({ message }) => end({ kind: "ended", end: "broken", why: message }));
  // Not before its last words are read.
  child.on("close", (code, signal) => end(explainExit(code, signal, errors)));
  // What is written to a process that ended is lost: its end is reported by the system.
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
