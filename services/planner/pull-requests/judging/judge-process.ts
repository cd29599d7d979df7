import { runInNewContext } from "node:vm";

import type { Snapshot } from "#libs/plan";

import { createAnswerer } from "./answer-question.ts";
import { createFrameReader, type FromJudge, type ToJudge } from "./messages.ts";
import { overTimeCode } from "./process-limits.ts";
import { createSnapshotReader } from "./snapshot.ts";

// The process in which strangers' files are parsed and judged: no secrets, no network, no files but its own code. It is killed
// without a word when it takes too long or too much; so it ends by itself, too, because its parent may be gone.

const timeMs = Number(process.argv[2]);
const read = createSnapshotReader();
const answer = createAnswerer();
let snapshot: Snapshot | undefined;

function say(message: FromJudge): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function obey(message: ToJudge): FromJudge {
  if (message.kind === "snapshot") {
    snapshot = read(message.update);
    return { kind: "ready" };
  }
  if (snapshot === undefined) throw new Error("bug: a question came before a snapshot");
  return { kind: "judged", verdict: answer(snapshot, message.question) };
}

/** It comes from another context, so it is no instance of our `Error`. */
function isOverTime(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** Ends the work after its time, wherever it stands: the one loop of this process cannot look at a clock meanwhile. */
function obeyInTime(message: ToJudge): FromJudge {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `work` answers, through a context that says no type
    return runInNewContext("work()", { work: () => obey(message) }, { timeout: timeMs }) as FromJudge;
  } catch (error) {
    if (isOverTime(error)) process.exit(overTimeCode);
    const why = error instanceof Error ? error.message : String(error);
    return { kind: "fault", why: why.slice(0, 1000) };
  }
}

const take = createFrameReader((message) => say(message.kind === "snapshot" ? obey(message) : obeyInTime(message)));
process.stdin.on("data", take);
process.stdin.on("end", () => process.exit(0));
