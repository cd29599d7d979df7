import { describe, expect, test } from "vitest";

import { renderTransition, type TransitionReason } from "./transition.ts";

const [commit, run] = ["c".repeat(40), "aaaaaaaaaaaa"];
const found = { code: "MatchingPods", matching: 3, all: 4, minRatio: 1 } as const;
const minute = 60_000;
const [who, why] = ["ana", "looked at it"];
const bake = { run, healthyMs: 20 * minute, neededMs: 60 * minute } as const;

type Case = readonly [reason: TransitionReason, message: string, owner?: string];

/** By code: the sentence in `git log` of the ledger, `meshroll history` and answers to verbs. */
const sentences: { readonly [C in TransitionReason["code"]]: readonly Case[] } = {
  BaselineRecorded: [
    [
      { code: "BaselineRecorded", commit, by: "ana" },
      "baseline cccccccccccc: nothing moves; later changes of main become runs",
      "ana",
    ],
  ],
  MainChanged: [
    [
      { code: "MainChanged", run, subject: "raise", author: "ben", holds: [] },
      "run aaaaaaaaaaaa started: raise (ben)",
      "ben",
    ],
    [
      { code: "MainChanged", run, subject: "back", author: "ben", holds: ["bucket/a", "bucket/b"] },
      "run aaaaaaaaaaaa started: back (ben); a rollback, its hold stays on bucket/a, bucket/b",
      "ben",
    ],
  ],
  NothingChanged: [[{ code: "NothingChanged", commit }, "main is at cccccccccccc: no namespace changes revision"]],
  WaveOpened: [[{ code: "WaveOpened", run, clusters: ["one", "two"] }, "run aaaaaaaaaaaa: wave opened in one, two"]],
  WaveDone: [[{ code: "WaveDone", run, clusters: ["one", "two"] }, "run aaaaaaaaaaaa: nothing is left in one, two"]],
  WaveReopened: [
    [{ code: "WaveReopened", run, clusters: ["one"] }, "run aaaaaaaaaaaa: workloads are left in one again"],
  ],
  BakeSaved: [
    [
      { code: "BakeSaved", ...bake, healthyMs: 0, bake: { step: "began" } },
      "run aaaaaaaaaaaa: its bake began, 0 % of 60 minutes",
    ],
    [
      { code: "BakeSaved", ...bake, bake: { step: "progress" } },
      "run aaaaaaaaaaaa: its bake continues, 33 % of 60 minutes",
    ],
    [
      { code: "BakeSaved", ...bake, bake: { step: "paused", paused: { code: "BakeUnseen", cluster: "one" } } },
      "run aaaaaaaaaaaa: its bake is interrupted, 33 % of 60 minutes: the bake is interrupted: one is not seen",
    ],
    [
      { code: "BakeSaved", ...bake, healthyMs: 61 * minute, bake: { step: "over" } },
      "run aaaaaaaaaaaa: its bake is complete, 100 % of 60 minutes",
    ],
  ],
  BakeRestarted: [
    [
      { code: "BakeRestarted", run, workload: "one:shop/Deployment/a", pending: 1 },
      "run aaaaaaaaaaaa: its bake starts again once one:shop/Deployment/a moved",
    ],
    [
      { code: "BakeRestarted", run, workload: "one:shop/Deployment/a", pending: 3 },
      "run aaaaaaaaaaaa: its bake starts again once one:shop/Deployment/a and 2 more moved",
    ],
  ],
  GatePassed: [
    [
      { code: "GatePassed", run, gate: "pods", found },
      "gate pods of run aaaaaaaaaaaa passed: 3 of 4 pods run the expected revision (75 %): minimum 100 %",
    ],
  ],
  GateFailed: [
    [
      { code: "GateFailed", run, gate: "pods", found },
      "gate pods of run aaaaaaaaaaaa failed: 3 of 4 pods run the expected revision (75 %): minimum 100 %",
    ],
  ],
  GateCounted: [
    [
      { code: "GateCounted", run, gate: "errors", counted: { bad: 1, failureLimit: 3 } },
      "gate errors of run aaaaaaaaaaaa: bad measurement 1 of 3",
    ],
    [
      { code: "GateCounted", run, gate: "sync", counted: { lowSince: "12:00" } },
      "gate sync of run aaaaaaaaaaaa: too low since 12:00",
    ],
    [
      { code: "GateCounted", run, gate: "sync", counted: { lowSince: undefined } },
      "gate sync of run aaaaaaaaaaaa: high enough again",
    ],
  ],
  RunEnded: [
    [{ code: "RunEnded", run, state: "done", migrated: 3, skipped: 2 }, "run aaaaaaaaaaaa done: 3 migrated, 2 skipped"],
    [
      { code: "RunEnded", run, state: "done", migrated: 0, skipped: 0, takenOverBy: "bbbbbbbbbbbb" },
      "run aaaaaaaaaaaa superseded by run bbbbbbbbbbbb: 0 migrated, 0 skipped",
    ],
    [
      {
        code: "RunEnded",
        run,
        state: "done",
        migrated: 331,
        idle: 1,
        skipped: 39,
        failed: 28,
        left: 15,
        takenOverBy: "bbbbbbbbbbbb",
        isRolledBack: true,
      },
      "run aaaaaaaaaaaa rolled back by run bbbbbbbbbbbb: 331 migrated, 1 idle, 39 skipped (28 failed), 15 not moved",
    ],
  ],
  StageProposed: [
    [
      { code: "StageProposed", stage: "half", campaign: "shop", pull: 7, workloads: 2, digest: "sha256:1" },
      "stage half of shop proposed as pull request 7: 2 workloads, sha256:1",
    ],
  ],
  Archived: [[{ code: "Archived", runs: 1, stops: 2, lists: 0 }, "1 run, 2 stops, 0 lists moved to the archive"]],
  StopPlaced: [[{ code: "StopPlaced", stop: "s1", scope: "all", who, why }, "stop s1 on all: looked at it (ana)", who]],
  StopResumed: [
    [
      { code: "StopResumed", verb: "resume", stops: ["s1", "s2"], scopes: ["all", "cluster/one"], who, why },
      "resumed s1, s2 on all, cluster/one (ana: looked at it)",
      who,
    ],
    [
      { code: "StopResumed", verb: "unhold", stops: ["h1"], scopes: ["bucket/production"], who, why },
      "unheld h1 on bucket/production (ana: looked at it)",
      who,
    ],
  ],
  RollbackOver: [
    [
      { code: "RollbackOver", stop: "r", scope: "run/aaaaaaaaaaaa", main: commit },
      "rollback r of run/aaaaaaaaaaaa has ended: main now matches (cccccccccccc); stop ended",
    ],
  ],
  Retried: [
    [
      { code: "Retried", run, workloads: ["a", "b", "c", "d", "e"], who, why },
      "retry of run aaaaaaaaaaaa: 5 workloads will be tried again: a, b, c, d, e (ana: looked at it)",
      who,
    ],
    [
      { code: "Retried", run, workloads: ["a", "b", "c", "d", "e", "f"], who, why },
      "retry of run aaaaaaaaaaaa: 6 workloads will be tried again: a, b, c, d, e, … (ana: looked at it)",
      who,
    ],
    [
      { code: "Retried", run, workloads: ["one:shop/*", "a"], who, why },
      "retry of run aaaaaaaaaaaa: 1 workload and 1 namespace as a whole will be tried again: one:shop/*, a (ana: looked at it)",
      who,
    ],
    [
      { code: "Retried", run, workloads: ["one:shop/*"], who, why },
      "retry of run aaaaaaaaaaaa: 1 namespace as a whole will be tried again: one:shop/* (ana: looked at it)",
      who,
    ],
  ],
  Converging: [
    [
      { code: "Converging", runs: [run], scope: "bucket/a", workloads: 2, who, why },
      "run aaaaaaaaaaaa started: converge bucket/a, 2 workloads (ana: looked at it)",
      who,
    ],
    [
      { code: "Converging", runs: [run, "bbbbbbbbbbbb"], scope: "all", workloads: 1, who, why },
      "runs aaaaaaaaaaaa, bbbbbbbbbbbb started: converge all, 1 workload (ana: looked at it)",
      who,
    ],
  ],
  NothingToConverge: [
    [
      { code: "NothingToConverge", scope: "all", who },
      "nothing to converge: in all no workload differs from main, except those that a run moves or that may not move",
      who,
    ],
  ],
  TooMuchToConverge: [
    [
      { code: "TooMuchToConverge", scope: "all", who, workloads: 10_001, most: 10_000 },
      "not converged: 10001 workloads of all differ from main, and a request takes at most 10000: name a cluster, a bucket or a namespace",
      who,
    ],
  ],
  StopKnown: [[{ code: "StopKnown", stop: "s1", who }, "not placed: another stop is recorded as s1", who]],
  RollbackRefused: [
    [
      { code: "RollbackRefused", refusal: { code: "IsRollback", run }, who },
      "not rolled back: run aaaaaaaaaaaa is a rollback itself: to go forward again, change rollouts.yml",
      who,
    ],
  ],
  NothingToResume: [
    [
      { code: "NothingToResume", verb: "resume", missing: { scope: "all" }, who },
      "nothing to resume: no stop on all is recorded (one placed by kubectl: kubectl -n meshroll-system delete configmap meshroll-stop)",
      who,
    ],
    [
      { code: "NothingToResume", verb: "unhold", missing: { scope: "campaign/shop" }, who },
      "nothing to unhold: no hold on campaign/shop is recorded",
      who,
    ],
    [
      { code: "NothingToResume", verb: "resume", missing: { stops: ["s1", "s2"] }, who },
      "nothing to resume: s1, s2 are no longer active (one placed by kubectl: kubectl -n meshroll-system delete configmap meshroll-stop)",
      who,
    ],
  ],
  NothingToRetry: [
    [
      { code: "NothingToRetry", missing: { kind: "unreadable", scope: "run/x" }, who },
      "nothing to retry: the record of run/x in the archive of branch meshroll/ledger cannot be read",
      who,
    ],
    [
      { code: "NothingToRetry", missing: { kind: "tooOld", scope: "run/x" }, who },
      "nothing to retry: run/x is not open, and too old to be opened again",
      who,
    ],
    [
      { code: "NothingToRetry", missing: { kind: "noneFailed", run }, who },
      "nothing to retry: no workload of run aaaaaaaaaaaa failed; other differences from main: meshroll get drift",
      who,
    ],
    [
      { code: "NothingToRetry", missing: { kind: "notFailed", run, workloads: ["one:shop/Deployment/web"] }, who },
      "nothing to retry: one:shop/Deployment/web did not fail in run aaaaaaaaaaaa; where it differs from main: " +
        'meshroll converge one:shop/Deployment/web --reason "…"',
      who,
    ],
    ...(
      [
        [
          { holds: ["bucket/production"], stage: "half" },
          'its stage half is proposed again, once a person ends the hold: meshroll unhold bucket/production --reason "…"',
        ],
        [
          { holds: ["bucket/a", "bucket/b-*"] },
          "its change has to be merged again, once a person ends the holds: " +
            `meshroll unhold bucket/a --reason "…", meshroll unhold 'bucket/b-*' --reason "…"`,
        ],
        [{ holds: [], stage: "half" }, "its stage half is proposed again"],
        [{ holds: [] }, "its change has to be merged again"],
        [{ holds: [], stage: "half", next: "c" }, 'its stage came again as run c: meshroll retry run/c --reason "…"'],
      ] as const
    ).map(
      ([way, said]) =>
        [
          { code: "NothingToRetry", missing: { kind: "rolledBack", run, by: "b", ...way }, who },
          `nothing to retry: run aaaaaaaaaaaa was rolled back by run b; ${said}`,
          who,
        ] as const,
    ),
  ],
};

describe("the sentence of a transition in the ledger's history", () => {
  const cases = Object.values(sentences).flatMap((each) =>
    each.map(([reason, message, owner]) => ({ reason, message, owner })),
  );
  test.each(cases)("$message", ({ reason, message, owner = "meshroll" }) => {
    expect(renderTransition(reason)).toEqual({ code: reason.code, message, owner });
  });
});
