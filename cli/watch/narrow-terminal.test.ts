import { type FleetStatus, tellAnswers } from "#libs/plan";
import { makeStop } from "#test/world/build";
import {
  allMigrated,
  type Instant,
  instantRun,
  makeInstant,
  over,
  pulls,
  statusOf,
} from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { printCampaign } from "../show/status/print-campaign.ts";
import { printStatus } from "../show/status/print-status.ts";
import { drawFrame } from "./watch-frame.ts";

const columns = 60;
const reading = { terminal: { env: {} }, tz: "UTC", width: columns };

const failures = { f: makeStop({ id: "f", scope: `run/${instantRun}`, cause: "failures", why: "3 failed" }) };
const pause = {
  p: makeStop({ id: "pause-1a2b3c4d", scope: "all", why: "us-east-1 incident", until: "2026-11-19T11:00:00.000Z" }),
};

const instants: readonly { readonly name: string; readonly instant: Instant }[] = [
  { name: "a stage in progress", instant: {} },
  { name: "a stage stopped by failures", instant: { stops: failures } },
  { name: "an overdue pause", instant: { stops: pause } },
  { name: "a bake", instant: { progress: allMigrated } },
  { name: "a pull request that waits", instant: { progress: allMigrated, run: over, snapshot: pulls() } },
];

function listScreens(status: FleetStatus): readonly (readonly [name: string, text: string])[] {
  const [campaign] = status.campaigns ?? [];
  if (campaign === undefined) throw new Error("the status names no campaign");
  const draw = (watched: { readonly status: FleetStatus; readonly campaign?: typeof campaign }) =>
    drawFrame(watched, tellAnswers(watched.campaign ?? status), { rows: 24, columns }, reading);
  const frames = [draw({ status }), draw({ status, campaign })].map(({ lines, foot }) => [...lines, foot].join("\n"));
  return [
    ["status", printStatus(status, tellAnswers(status), reading)],
    ["status of a campaign", printCampaign(campaign, tellAnswers(campaign), reading)],
    ["watch", frames[0] ?? ""],
    ["watch of a campaign", frames[1] ?? ""],
  ];
}

describe("on a terminal of 60 columns", () => {
  const screens = instants.flatMap(({ name, instant }) =>
    listScreens(statusOf(makeInstant(instant))).map(([screen, text]) => ({ name: `${screen}, ${name}`, text })),
  );
  it.each(screens)("$name fits, but for commands", ({ text }) => {
    const long = text.split("\n").filter((line) => Array.from(line).length > columns);
    expect(long.filter((line) => !/^ *(?:meshroll|kubectl|git|gh) /u.test(line))).toEqual([]);
  });

  it("watch leaves out whole parts, and cuts no count and no command", () => {
    const status = statusOf(makeInstant());
    const { lines } = drawFrame({ status }, tellAnswers(status), { rows: 18, columns }, reading);
    expect(lines.slice(0, 8)).toEqual([
      "main 6d6572676500  ◌ InProgress, 1 failed",
      "istio-1-25  stage 5/8 prod-25  ◌ InProgress, 1 failed",
      "run 6d6572676500  12/29  41 %, 1 skipped, 1 failed",
      expect.stringMatching(/^├─ stage-use1 {3}6\/6 {2}✔ /u),
      "├─ prod-use1-a  4/5  ✖ nothing left to move, 1 failed",
      "│   ✖ team-043/Deployment/api  ReadinessTimeout",
      "├─ prod-use1-b  1/3  ◌ 2 restarting",
      "├─ prod-usw2-a  1/5  ◌ 4 restarting",
    ]);
    const npx = { ...reading, terminal: { env: { npm_command: "exec" } } };
    const told = drawFrame({ status }, tellAnswers(status), { rows: 20, columns }, npx).lines;
    expect(told).toContain(`npx meshroll rollback run/${instantRun} --reason "…"`);
  });
});
