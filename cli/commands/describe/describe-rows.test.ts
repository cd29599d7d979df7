import { evaluateFleet } from "#libs/plan";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { makeStop } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { listClusters } from "../../show/rows/get-cluster-rows.ts";
import { listRevisions } from "../../show/rows/get-revision-rows.ts";
import { listStages } from "../../show/rows/get-status-rows.ts";
import { narrowView } from "../../show/rows/narrow-view.ts";
import { describeClusters, describeRows, describeWorkloads } from "./describe-rows.ts";
import { describeStop } from "./describe-stop.ts";
import { type Description, printDescription } from "./description.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };
const snapshot = makeInstant();
const status = statusOf(snapshot);
const head = snapshot.specs.get(snapshot.main.head);
if (head === undefined) throw new Error("main does not parse");
const view = narrowView({ snapshot, head, evaluation: evaluateFleet(snapshot, head) }, {});

const hold = makeStop({ id: "h-31", scope: "campaign/istio-1-25", strength: "propose", who: "ana", why: "INC-9921" });
const resume = { at: "2026-11-19T11:00:00.000Z", who: "ben", why: "it is over" };

interface Case {
  readonly name: string;
  readonly all: readonly Description[];
  readonly want: readonly string[];
}

describe("what is shown of", () => {
  const cases: readonly Case[] = [
    {
      name: "a workload that failed",
      all: describeWorkloads(view, "team-043", reading),
      want: [
        "Name:     team-043/Deployment/api\n",
        "State:    skipped\n",
        "Failures:\n  ReadinessTimeout at 2026-11-19",
        "Drift:  <none>",
      ],
    },
    {
      name: "a cluster with its open runs",
      all: describeClusters(listClusters(status, "prod-use1-b"), status, reading),
      want: [
        "Name:        prod-use1-b\n",
        "On desired:  18/20\n",
        "Revisions:   1-24-5,1-25-2\n",
        `  ${instantRun}  3 `,
        "Problems:  <none>\n",
      ],
    },
    {
      name: "a stage by its name alone",
      all: describeRows(listStages(status, "prod-25")),
      want: ["Name:      prod-25\n", "Campaign:  istio-1-25\n", "State:     Running\n", `Run:       ${instantRun}\n`],
    },
    {
      name: "a revision",
      all: describeRows(listRevisions(view, "1-25-2")),
      want: ["Name:        1-25-2\n", "Offered in:  "],
    },
    {
      name: "a hold in force, with the command that ends it",
      all: [describeStop({ id: "h-31", status: statusOf(makeInstant({ stops: { hold } })), record: hold }, reading)],
      want: [
        "Kind:    hold\n",
        "Who:     ana\n",
        "State:   in force\n",
        'meshroll unhold campaign/istio-1-25 --reason "…"',
      ],
    },
    {
      name: "a hold that was ended",
      all: [describeStop({ id: "h-31", status: undefined, record: { ...hold, resume } }, reading)],
      want: ["State:    resumed\n", "Resumed:  2026-11-19 11:00:00 UTC by ben: it is over\n"],
    },
  ];
  it.each(cases)("$name", ({ all, want }) => {
    expect(all).toHaveLength(1);
    const text = all.map((each) => printDescription(each, reading)).join("\n");
    for (const part of want) expect(text).toContain(part);
  });
});
