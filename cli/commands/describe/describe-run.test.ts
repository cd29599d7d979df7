import { writeText } from "#libs/wording";
import { makeStop } from "#test/world/build";
import { instantRun, makeInstant, over, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { describeRun, type KnownRun } from "./describe-run.ts";
import { printDescription } from "./description.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };

const entry = {
  commit: "c".repeat(40),
  at: "2026-11-19T10:02:00.000Z",
  clock: "planner" as const,
  sentence: `run ${instantRun} started: raise production to 25 (ana)`,
  about: [`run/${instantRun}`],
  actor: "ana",
};

function see(instant: Parameters<typeof makeInstant>[0] = {}, change: Partial<KnownRun> = {}): string {
  const snapshot = makeInstant(instant);
  const known = { id: instantRun, ledger: snapshot.ledger, status: statusOf(snapshot), history: [entry], ...change };
  return printDescription(describeRun(known, reading), reading);
}

const stops = { f: makeStop({ id: "f", scope: `run/${instantRun}`, cause: "failures", why: "3 failed" }) };
const skipped = [
  {
    cluster: "prod-use1-a",
    workload: "team-043/Deployment/api",
    code: "ReadinessTimeout",
    message: writeText("ReadinessTimeout"),
    failed: true,
  },
] as const;
const ended = { ...over, outcome: { migrated: 28, skipped, seen: [], takenOverBy: "0123456789ab" } };

describe("a run in full", () => {
  const cases: readonly { readonly name: string; readonly text: string; readonly want: readonly string[] }[] = [
    {
      name: "an open run has its commit, stage, counts and failures by cluster",
      text: see(),
      want: [
        `Name:      ${instantRun}\n`,
        "Campaign:  istio-1-25\n",
        "Stage:     prod-25\n",
        "State:     open\n",
        "Started:   2026-11-19 10:02:00 UTC\n",
        "Changes:\n  production: 1-24-5: 95, 1-25-2: 5 → 1-24-5: 75, 1-25-2: 25\n",
        "  CLUSTER       WORKLOADS  MIGRATED  IDLE  MIGRATING  PENDING  WAITING  SKIPPED  FAILED  OPENED",
        "Failures:\n  prod-use1-a:team-043/Deployment/api  ReadinessTimeout at 2026-11-19 10:31:00 UTC\n",
        "Skipped:  <none>\n",
        "Stops:  <none>\n",
        `History:\n  2026-11-19 10:02:00 UTC  ana  run ${instantRun} started: raise production to 25 (ana)\n`,
      ],
    },
    {
      name: "a cluster without a workload of the run has no figures, in the same columns",
      text: see({ run: { clusters: { elsewhere: { openedAt: entry.at, unhealthyBefore: [] } } } }),
      want: [
        "  elsewhere     -          -         -     -          -        -        -        -       2026-11-19 10:02:00 UTC",
      ],
    },
    {
      name: "distributions as the ledger has them are printed as in the file",
      text: see({
        run: {
          changes: [
            { pattern: "production", from: '[["a",100]]', to: '[["a",75],["b",25]]', direction: "forward" },
            { pattern: "new", from: "", to: '[["b",100]]', direction: "forward" },
          ],
        },
      }),
      want: ["  production: a: 100 → a: 75, b: 25\n  new: not in the file → b: 100\n"],
    },
    {
      name: "its stops have the commands that end them",
      text: see({ stops }),
      want: ["Stops:\n  pause on run/", "meshroll retry"],
    },
    {
      name: "an ended run keeps what failed, and what superseded it",
      text: see({ run: ended }, { status: undefined }),
      want: [
        "State:",
        "Superseded by:  0123456789ab",
        "Failures:\n  prod-use1-a:team-043/Deployment/api  ReadinessTimeout\n",
      ],
    },
    {
      name: "a history that cannot be read says why",
      text: see({}, { history: "git is down" }),
      want: ["History:\n  not known: git is down\n"],
    },
  ];
  it.each(cases)("$name", ({ text, want }) => {
    for (const part of want) expect(text).toContain(part);
  });

  it("fits a narrow terminal, but for commands", () => {
    const snapshot = makeInstant({ stops });
    const known = { id: instantRun, ledger: snapshot.ledger, status: statusOf(snapshot), history: [entry] };
    const narrow = { ...reading, width: 60 };
    const long = printDescription(describeRun(known, narrow), narrow)
      .split("\n")
      .filter((line) => Array.from(line).length > 60 && !line.trimStart().startsWith("meshroll "));
    expect(long).toEqual([]);
  });
});
