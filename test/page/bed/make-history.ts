import type { LedgerLine } from "#libs/events";

import { noon } from "../../world/build.ts";
import { instantRun } from "../../world/campaigns/campaign-instant.ts";

const aboutRun = [`run/${instantRun}`, "campaign/istio-1-25"];

type Sketch = Pick<LedgerLine, "sentence" | "about"> & { readonly actor: string; readonly cause: string };

/** What happened in the minutes before noon, the newest first. */
const told: readonly Sketch[] = [
  {
    cause: "StopPlaced",
    actor: "ana",
    about: ["cluster/prod-apne1-a"],
    sentence: "stop pause-98fe1ac0 on cluster/prod-apne1-a: ap-northeast-1 incident (ana)",
  },
  {
    cause: "GatePassed",
    actor: "meshroll",
    about: aboutRun,
    sentence: `gate error-rate of run ${instantRun} passed: 0.4 %: limit 2 %`,
  },
  {
    cause: "Retried",
    actor: "ben",
    about: aboutRun,
    sentence: `retry of run ${instantRun}: 1 workload will be tried again: prod-use1-a:team-006/Deployment/api (ben: image is there now)`,
  },
  {
    cause: "WaveOpened",
    actor: "meshroll",
    about: aboutRun,
    sentence: `run ${instantRun}: wave opened in prod-use1-b, prod-usw2-a`,
  },
  {
    cause: "GateFailed",
    actor: "meshroll",
    about: aboutRun,
    sentence: `gate error-rate of run ${instantRun} failed: 7.7 %: limit 2 %`,
  },
  {
    cause: "MainChanged",
    actor: "ben",
    about: aboutRun,
    sentence: `run ${instantRun} started: production to 25 % of 1-25-2 (ben)`,
  },
  {
    cause: "StageProposed",
    actor: "meshroll",
    about: ["campaign/istio-1-25"],
    sentence: "stage prod-25 of istio-1-25 proposed as pull request 412: 29 workloads, 3f6c2a11",
  },
  {
    cause: "NothingChanged",
    actor: "meshroll",
    about: [],
    sentence: "main is at 0a1b2c3d4e5f: no namespace changes revision",
  },
];

function makeCommit(place: number): string {
  return (place * 0x9e37_79b1 + 1).toString(16).padStart(12, "0").padEnd(40, "0");
}

/** So many transitions, oldest first; the newest eight are told above, one a minute before the other. */
export function makeHistory(count: number): readonly LedgerLine[] {
  const lines = Array.from({ length: count }, (_, age): LedgerLine => {
    const place = count - age;
    const sketch = told[age] ?? {
      cause: "BakeSaved",
      actor: "meshroll",
      about: ["run/aaaaaaaaaaaa", "campaign/istio-1-24"],
      sentence: `run aaaaaaaaaaaa: its bake continues, ${place % 100} % of 30 minutes`,
    };
    const at = new Date(noon - (age + 1) * 60_000).toISOString();
    return { commit: makeCommit(place), at, clock: "planner", ...sketch };
  });
  return lines.toReversed();
}

/** One more transition at the end. */
export function addLine(lines: readonly LedgerLine[], sentence: string): readonly LedgerLine[] {
  const commit = makeCommit(lines.length + 1);
  const line = { commit, at: new Date(noon).toISOString(), clock: "planner" as const, sentence, about: ["all"] };
  return [...lines, { ...line, actor: "ana", cause: "StopPlaced" }];
}
