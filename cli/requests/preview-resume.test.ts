import { makeInstant, instantRun, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { printSentence } from "../terminal/sentence.ts";
import type { OpenStop } from "./find-resumed.ts";
import { listStaying, previewAll } from "./preview-resume.ts";

const status = statusOf(makeInstant());
const base = { strength: "move", who: "meshroll planner", why: "too many failed" } as const;
const failures: OpenStop = { ...base, id: "failures-1", scope: `run/${instantRun}`, cause: "failures" };

describe("before a stop by meshroll ends", () => {
  it.each([
    {
      name: "the run's pending workloads are counted by cluster",
      stop: failures,
      want: "  then 10 workloads in 2 clusters will be tried again: 6 in prod-euw1-a, 4 in prod-apne1-a",
    },
    {
      name: "for a stop on a cluster, only that cluster's",
      stop: { ...failures, scope: "cluster/prod-apne1-a", cause: "jobFailed" } as const,
      want: "  then 4 workloads in 1 cluster will be tried again: 4 in prod-apne1-a",
    },
    {
      name: "for a run without pending workloads, nothing moves",
      stop: { ...failures, scope: "run/aaaaaaaaaaaa" } as const,
      want: "  then nothing moves at once: no workload is pending",
    },
  ])("$name", ({ stop, want }) => {
    expect(previewAll([stop], status).map(printSentence)).toEqual([want]);
  });

  it("two stops of one run show its workloads once", () => {
    const gate: OpenStop = { ...failures, id: "gate-1", cause: "gate" };
    expect(previewAll([failures, gate], status)).toHaveLength(1);
  });

  it("without a planner the pending workloads are unknown", () => {
    expect(previewAll([failures], undefined)).toEqual([
      "  ! the workloads that move then are unknown: no planner has published",
    ]);
  });

  it("other stops on the scope are listed, with what ends them", () => {
    const pause: OpenStop = { ...failures, id: "pause-1", who: "ana", cause: "verb" };
    const elsewhere: OpenStop = { ...pause, id: "pause-2", scope: "all" };
    const hold: OpenStop = { ...pause, id: "hold-1", strength: "propose" };
    const kubectl: OpenStop = { ...pause, id: "kubectl" };
    const known = [failures, pause, elsewhere, hold, kubectl];
    expect(listStaying([pause], known).map(printSentence)).toEqual([
      '  meshroll\'s own pause failures-1 stays:  meshroll resume --id failures-1 --reason "…"',
    ]);
    expect(listStaying([failures], known).map(printSentence)).toEqual([
      '  the pause of ana pause-1 stays:  meshroll resume --id pause-1 --reason "…"',
    ]);
  });
});
