import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

import type { Snapshot } from "#libs/plan";
import { request, half, more } from "#test/world/pull-request";
import { makeCluster, makeWorkload } from "#test/world/build";
import { describe, expect, it, onTestFinished } from "vitest";

import { createChildJudge } from "../../../services/planner/pull-requests/judging/child-judge.ts";
import type { JudgeQuestion, PullRequestJudge } from "../../../services/planner/pull-requests/judging/port.ts";
import type { JudgeLimits } from "../../../services/planner/pull-requests/judging/process-limits.ts";
import { type JudgeProcess, startJudgeProcess } from "../../../services/planner/pull-requests/judging/start-process.ts";

const clock = { sleepReal: async (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }) };

/** A judge whose processes a test can count and disturb. */
function openJudge(limits: Partial<JudgeLimits> = {}): { judge: PullRequestJudge; started: JudgeProcess[] } {
  const started: JudgeProcess[] = [];
  const judge = createChildJudge({
    clock,
    limits,
    start: (all) => {
      const process = startJudgeProcess(all);
      started.push(process);
      return process;
    },
  });
  onTestFinished(async () => judge.close());
  return { judge, started };
}

const { snapshot: small, merged: _merged, digest: _digest, ...facts } = request({ kind: "untouched" });

function questionOf(rollouts: string): JudgeQuestion {
  const texts = { rollouts, campaigns: {}, refused: [] };
  return { ...facts, earlier: [], read: { kind: "files", texts, campaigns: [], changed: ["rollouts.yml"] } };
}

function fleetOf(count: number): Snapshot {
  const names = Array.from(
    { length: count },
    (_, index) => `team-${index * 7919}-of-the-platform-that-has-a-long-name-${index}`,
  );
  const cluster = makeCluster(
    "one",
    names.map((name) => makeWorkload(`${name}/web`)),
  );
  return { ...small, clusters: new Map([["one", cluster]]) };
}

/** A few KiB that are expensive for a fleet: each pattern has more states than there are names. */
const letters = "efghijklmnopqrstuvwxy".split("");
const slow = [20, 21, 22].flatMap((count) =>
  letters.map((last) => `"[a-z0-9-]*[a-${last}][a-z0-9-]{${count}}[a-z0-9-]*[_]": { old: 100 }\n`),
);
const slowFile = `${more}${slow.join("")}`;
/** A megabyte of buckets, which does not fit into a small process once it is parsed. */
const wide = Array.from({ length: 15_000 }, (_, index) => `"name-${index}-.*": { old: 50, new: 50 }\n`).join("");
const wideFile = `production: { old: 50, new: 50 }\n${wide}`;

describe("a judge in its own process", () => {
  it("a pull request whose patterns are too expensive for the fleet's names is refused at the time limit", async () => {
    const { judge } = openJudge({ timeMs: 500 });
    const answer = await judge.judge(fleetOf(20_000), questionOf(slowFile));
    expect(answer).toEqual({ kind: "refused", code: "JudgeTimeLimit", why: "judging it took longer than 0.5 s" });
    expect(await judge.judge(small, questionOf(more))).toMatchObject({ kind: "judged" });
  });

  it("a pull request that takes longer than the limit is refused", async () => {
    const { judge, started } = openJudge({ timeMs: 50 });
    const answer = await judge.judge(small, questionOf(wideFile));
    expect(answer).toEqual({ kind: "refused", code: "JudgeTimeLimit", why: "judging it took longer than 0.05 s" });
    await expect.poll(() => started.map((process) => process.hasEnded())).toEqual([true]);
  });

  it("a pull request that needs too much memory ends its own process and no other", async () => {
    // The time limit is long enough on a busy machine, too.
    const { judge, started } = openJudge({ memoryMib: 40, timeMs: 60_000 });
    expect(await judge.judge(small, questionOf(wideFile))).toMatchObject({ kind: "refused", code: "JudgeMemoryLimit" });
    expect(await judge.judge(small, questionOf(more))).toMatchObject({ kind: "judged" });
    expect(started).toHaveLength(2);
  });

  it("a process that is stopped, and cannot end itself, is killed by its parent", async () => {
    const { judge, started } = openJudge({ timeMs: 2000 });
    await judge.judge(small, questionOf(half));
    process.kill(started[0]?.pid ?? 0, "SIGSTOP");
    expect(await judge.judge(small, questionOf(more))).toMatchObject({ kind: "refused", code: "JudgeTimeLimit" });
    expect(await judge.judge(small, questionOf(more))).toMatchObject({ kind: "judged" });
  });

  it("a process that is killed in the middle fails that question only", async () => {
    const { judge, started } = openJudge();
    await judge.judge(small, questionOf(half));
    const pid = started[0]?.pid ?? 0;
    // Stopped before the question is sent, so that it is still open at the kill on any machine.
    process.kill(pid, "SIGSTOP");
    const asked = judge.judge(small, questionOf(more));
    await new Promise(setImmediate);
    process.kill(pid, "SIGKILL");
    expect(await asked).toMatchObject({ kind: "refused", code: "JudgeMemoryLimit" });
    expect(await judge.judge(small, questionOf(more))).toMatchObject({ kind: "judged" });
  });

  it("a fleet that is too large is not a pull request's fault: nothing is judged, and the setting is named", async () => {
    const { judge } = openJudge({ memoryMib: 40 });
    const answer = await judge.judge(fleetOf(40_000), questionOf(more));
    expect(answer).toMatchObject({ kind: "unavailable", why: expect.stringContaining("MESHROLL_JUDGE_MEMORY_MIB") });
  });

  it("an answer that is larger than the limit ends the process", async () => {
    const { judge } = openJudge({ answerBytes: 500 });
    expect(await judge.judge(small, questionOf(more))).toMatchObject({ kind: "refused", code: "JudgeMemoryLimit" });
  });

  it("has no token and no network address, and may neither write files nor start processes", () => {
    const { judge, started } = openJudge();
    return judge.judge(small, questionOf(half)).then(() => {
      const pid = String(started[0]?.pid ?? 0);
      const command = execFileSync("ps", ["-o", "args=", "-p", pid], { encoding: "utf8" });
      expect(command).toMatch(/--permission --allow-fs-read=\* --max-old-space-size=512/);
      expect(command).not.toMatch(/allow-fs-write|allow-child-process|allow-worker/);
    });
  });

  it("ends by itself when the planner is gone", async () => {
    const script = [
      'import { startJudgeProcess } from "./services/planner/pull-requests/judging/start-process.ts";',
      'import { judgeLimits } from "./services/planner/pull-requests/judging/process-limits.ts";',
      "const child = startJudgeProcess(judgeLimits);",
      "process.stdout.write(String(child.pid));",
      "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);",
    ].join("\n");
    const pid = await new Promise<number>((resolve) => {
      try {
        execFileSync(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
      } catch (error) {
        resolve(Number((error as { stdout: Buffer }).stdout.toString()));
      }
    });
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid), { timeout: 50_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
