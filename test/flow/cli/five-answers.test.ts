import { tellAnswers, type Snapshot } from "#libs/plan";
import { makeStop, noon } from "#test/world/build";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, test } from "vitest";

import { printCampaign } from "../../../cli/show/status/print-campaign.ts";
import { renderComment } from "../../../services/notifier/render/github/comment.ts";
import { renderRunRoot } from "../../../services/notifier/render/slack/run-root.ts";
import { renderStatus } from "../../../services/planner/comment-requests/render-answers.ts";
import { expectAnswers, pickCampaign } from "../five-answers-words.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };
const allMigrated = () => "migrated" as const;
const failures = makeStop({
  id: `failures-${instantRun}-1`,
  scope: `run/${instantRun}`,
  cause: "failures",
  who: "meshroll planner",
  why: "too many failed (maxFailures 2), first: prod-use1-a:team-043/Deployment/api",
});
const bake = {
  beganAt: "2026-11-19T05:43:00.000Z",
  neededMs: 86_400_000,
  healthyMs: 6 * 3_600_000,
  savedAt: "2026-11-19T11:43:00.000Z",
};
const pull = {
  branch: "meshroll/istio-1-25/prod-50",
  number: 119,
  url: "https://github.com/acme/rollouts/pull/119",
  state: "open",
  headSha: "b".repeat(40),
  checks: { plan: "success", approvals: "pending" },
} as const;
const over = { state: "done", endedAt: "2026-11-19T11:00:00.000Z" } as const;

const instants: Readonly<Record<string, Snapshot>> = {
  "batches at work": makeInstant(),
  "a bake": makeInstant({ progress: allMigrated, run: { bake } }),
  "stopped by failures": makeInstant({ stops: { [failures.id]: failures } }),
  "a rollback at once, after failures": makeInstant({
    stops: {
      [failures.id]: failures,
      r: makeStop({
        id: "r",
        scope: `run/${instantRun}`,
        cause: "rollback",
        now: true,
        revertTo: makeInstant().ledger?.runs[instantRun]?.before ?? "",
      }),
    },
  }),
  "a closed window": makeInstant({ snapshot: { now: noon + 5 * 3_600_000 } }),
  "a pull request that waits": makeInstant({
    progress: allMigrated,
    run: over,
    snapshot: { pulls: new Map([[pull.branch, pull]]) },
  }),
};

/** The status of one instant, as each surface reads it. */
function see(name: string) {
  const status = statusOf(instants[name] ?? makeInstant());
  const campaign = pickCampaign(status);
  return { status, campaign, told: tellAnswers(campaign) };
}

describe("the five answers of one instant are the same on every surface", () => {
  describe.each(Object.keys(instants))("%s", (name) => {
    const { status, campaign, told } = see(name);

    test("command line", () => expectAnswers(printCampaign(campaign, told, reading), told));
    test("answer to a comment", () => {
      const subject = { kind: "pull", campaign: campaign.name } as unknown as Parameters<typeof renderStatus>[0];
      expectAnswers(renderStatus(subject, status), told);
    });
  });

  // The surfaces of a run show an ended run with its outcome, so only open runs are compared.
  const open = Object.keys(instants).filter((name) => see(name).status.runs.length > 0);
  describe.each(open)("%s, told of its run", (name) => {
    const { status, told } = see(name);
    const run = status.runs.find(({ id }) => id === instantRun);
    const view = { facts: { id: instantRun }, status, ...(run === undefined ? {} : { run }) };

    test("comment on the pull request", () => expectAnswers(renderComment(view), told));
    test("root message in Slack", () => {
      const { blocks } = renderRunRoot(view);
      const text = blocks.map((block) =>
        "fields" in block ? block.fields.join("\n") : "text" in block ? block.text : "",
      );
      expectAnswers(text.join("\n"), told);
    });
  });

  test("some instants have an open run", () => expect(open.length).toBeGreaterThan(3));
});
