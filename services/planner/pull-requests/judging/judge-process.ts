import { runInNewContext } from "node:vm";

import type { Snapshot } from "#libs/plan";

import { createAnswerer } from "./answer-question.ts";
import { createFrameReader, type FromJudge, type ToJudge } from "./messages.ts";
import { overTimeCode } from "./process-limits.ts";
import { createSnapshotReader } from "./snapshot.ts";

// The process in which strangers' files are parsed and judged. It has no secrets, no network, and may only read files. The
// parent kills it when it takes too much time or memory; it also ends by itself, because the parent may be gone.

const timeMs = Number(process.argv[2]);
const read = createSnapshotReader();
const answer = createAnswerer();
let snapshot: Snapshot | undefined;

function send(message: FromJudge): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function handle(message: ToJudge): FromJudge {
  if (message.kind === "snapshot") {
    snapshot = read(message.update);
    return { kind: "ready" };
  }
  if (snapshot === undefined) throw new Error("bug: a question came before a snapshot");
  return { kind: "judged", verdict: answer(snapshot, message.question) };
}

/** Not `instanceof Error`: the error comes from another context. */
function isOverTime(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** Limits the time of one message. A timer would not fire: the work blocks this process's event loop. */
function handleInTime(message: ToJudge): FromJudge {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of `work`, through a context without types
    return runInNewContext("work()", { work: () => handle(message) }, { timeout: timeMs }) as FromJudge;
  } catch (error) {
    if (isOverTime(error)) process.exit(overTimeCode);
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "fault", why: why.slice(0, 1000) };
  }
}

const take = createFrameReader((message) =>
  send(message.kind === "snapshot" ? handle(message) : handleInTime(message)),
);
process.stdin.on("data", take);
process.stdin.on("end", () => process.exit(0));
