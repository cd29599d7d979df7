import { writeText } from "#libs/wording";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { run, runStatusOf, statusOf, stopOf } from "../../delivery/test-world.ts";
import { nameDashboard, renderDashboard } from "./dashboard.ts";

const campaign = {
  name: "istio-1-29",
  target: "1-29",
  state: "InProgress",
  stage: { name: "prod-25", index: 2, of: 3 },
  stages: [
    { name: "prod-5", state: "Completed" },
    { name: "prod-25", state: "Running" },
    { name: "prod-100", state: "Pending" },
  ],
  runs: [run],
  waiting: [
    {
      scope: "campaign/istio-1-29",
      code: "BakeRunning",
      message: writeText("bakes"),
      owner: "meshroll",
      until: "2026-11-22T13:00:00.000Z",
    },
  ],
  pull: { stage: "prod-100", number: 8, state: "open", checks: { plan: "success", approvals: "pending" } },
};

const skipped = [
  {
    cluster: "one",
    workload: "shop/Deployment/a",
    code: "ReadinessTimeout",
    message: writeText("ReadinessTimeout"),
    at: "2026-11-21T13:18:56.537Z",
  },
  {
    cluster: "one",
    workload: "shop/Deployment/b",
    code: "ReadinessTimeout",
    message: writeText("ReadinessTimeout"),
    at: "2026-11-21T13:19:56.537Z",
  },
];
const hold = { ...stopOf("h", "campaign/other"), strength: "propose", command: "meshroll unhold other" } as const;
const status = statusOf({
  runs: [runStatusOf({ skipped, skippedTotal: 2 }), runStatusOf({ id: "ffffffffffff", subject: "by hand @here" })],
  campaigns: [campaign] as never,
  stops: [stopOf("v1", "cluster/one"), hold],
});

describe("the dashboard", () => {
  it("has a section for each question", () => {
    expect(renderDashboard(status)).toMatchInlineSnapshot(`
      "<!-- meshroll:dashboard -->
      ### Running

      - **istio-1-29** · prod-25 [2/3], \`run/abcdefabcdef\`: 10 of 40 workloads, 3 migrating, 2 skipped
      - \`run/ffffffffffff\` by hand @&#8203;here: 10 of 40 workloads, 3 migrating

      ### Waiting

      - bakes, until 2026-11-22T13:00:00.000Z. meshroll

      ### Needs approval

      - #8 **istio-1-29** · prod-100

      ### Held

      - \`cluster/one\` paused by ana: 5xx. Resume: \`meshroll resume cluster/one\`
      - \`campaign/other\` held by ana: 5xx. Resume: \`meshroll unhold other\`

      ### Stragglers

      - 2 × ReadinessTimeout

      ### Done

      - **istio-1-29** to \`1-29\`: 1 of 3 stages, up to prod-5

      <sub>As of 2026-11-21T13:01:00.000Z; edited when something happens. <code>/meshroll help</code> lists what a comment can ask.</sub>"
    `);
  });

  it("of a quiet fleet says so", () => {
    const quiet = renderDashboard(statusOf({ runs: [], rollouts: [] }));
    expect(quiet.match(/^nothing$/gm)).toHaveLength(6);
  });

  it("of a huge fleet fits into an issue", () => {
    const many = Array.from({ length: 500 }, (_, index) => index);
    const huge = statusOf({
      runs: many.map((index) => runStatusOf({ id: String(index), subject: "x".repeat(500) })),
      stops: many.map((index) => ({ ...stopOf(String(index), `namespace/${index}`), why: "y".repeat(5000) })),
      waiting: many.map((index) => ({
        scope: "all",
        code: "X",
        message: writeText(`${index}${"z".repeat(900)}`),
        owner: "o",
      })),
    });
    expect(renderDashboard(huge).length).toBeLessThan(65_536);
  });

  it("mentions no account and links nothing in texts of people", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const hostile = `@acme/mesh <!-- meshroll:dashboard --> https://evil.example #1 ${text}`;
        const stop = { ...stopOf("v", `namespace/${hostile}`), who: hostile, why: hostile };
        const shown = renderDashboard(statusOf({ runs: [runStatusOf({ subject: hostile })], stops: [stop] }));
        // Inside a code span nothing mentions or links.
        const outside = shown.replaceAll(/`[^`\n]*`/g, "");
        expect(outside).not.toMatch(/@[a-z]|https:\/\/evil|#1/);
        expect(outside.match(/<!--/g)).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });

  it("changes when something begins or is stopped, not when a figure changes", () => {
    const at = (migrated: number) => nameDashboard(statusOf({ runs: [runStatusOf({ migrated })] }));
    expect(at(1)).toBe(at(3));
    expect(at(3)).not.toBe(at(4));
    expect(nameDashboard(status)).not.toBe(nameDashboard({ ...status, stops: [] }));
  });
});

it("the dashboard links to the fleet's page, where there is one", () => {
  const linked = renderDashboard(statusOf({ page: "https://meshroll.example.com" }));
  expect(linked).toContain('<a href="https://meshroll.example.com/">');
  expect(renderDashboard(statusOf({}))).not.toContain("<a href");
});
