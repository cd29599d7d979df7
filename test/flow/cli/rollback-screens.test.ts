import { tellAnswers } from "#libs/plan";
import { makeStop } from "#test/world/build";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, test } from "vitest";

import { printCampaign } from "../../../cli/show/status/print-campaign.ts";
import { printStatus } from "../../../cli/show/status/print-status.ts";
import { renderDashboard } from "../../../services/notifier/render/github/dashboard.ts";
import { drawFrame, type Size } from "../../../cli/watch/watch-frame.ts";
import { pickCampaign } from "../five-answers-words.ts";

const reading = { terminal: { env: {} }, tz: "UTC" };
const sizes: readonly Size[] = [
  { rows: 24, columns: 80 },
  { rows: 40, columns: 120 },
];
const scope = `run/${instantRun}` as const;
const failures = makeStop({ id: "f", scope, cause: "failures", who: "meshroll planner", why: "too many failed" });
const revertTo = makeInstant().ledger?.runs[instantRun]?.before ?? "";
const rollback = makeStop({ id: "r", scope, cause: "rollback", now: true, revertTo });

const see = (stops: Parameters<typeof makeInstant>[0]) => {
  const status = statusOf(makeInstant(stops));
  return { status, campaign: pickCampaign(status) };
};
const running = see({ stops: { f: failures, r: rollback } });
const stopped = see({ stops: { f: failures } });

describe("a rollback is shown as one, also while the stop for failures is in force", () => {
  const headline = `ROLLING BACK run ${instantRun}: `;

  test("its duration and what follows are shown", () => {
    const { campaign, status } = running;
    const text = printCampaign(campaign, tellAnswers(campaign), reading).replaceAll(/\s+/gu, " ");
    expect(text).toMatch(
      /ROLLING BACK run [0-9a-f]{12}: \d+ to go, about \d+ min; \d+ of \d+ workloads run what main had before/u,
    );
    expect(text).toContain("the bucket then stays on hold");
    expect(printStatus(status, tellAnswers(status), reading).replaceAll(/\s+/gu, " ")).toMatch(/to go, about \d+ min/u);
  });

  test("it offers no second rollback and demands nothing of a person", () => {
    const told = tellAnswers(running.campaign);
    expect(told.undo.command).toBeUndefined();
    expect(told.waiting.filter(({ isChoice }) => isChoice === true)).toEqual([]);
    expect(tellAnswers(stopped.campaign).undo.command).toContain("meshroll rollback");
    const screens = [
      printCampaign(running.campaign, told, reading),
      printStatus(running.status, tellAnswers(running.status), reading),
      renderDashboard(running.status),
    ];
    expect(screens.filter((text) => /meshroll (?:rollback|retry)/u.test(text))).toEqual([]);
  });

  test("status shows it in the headline, with the direction", () => {
    const { status, campaign } = running;
    const [head = "", second = ""] = printCampaign(campaign, tellAnswers(campaign), reading).split("\n");
    expect([head.includes("1-24-5 ← 1-25-2"), second.startsWith(headline)]).toEqual([true, true]);
    expect(printStatus(status, tellAnswers(status), reading)).toContain(headline);
  });

  test.each(sizes)("watch at $columns x $rows shows it on the first lines", (size) => {
    for (const watched of [{ status: running.status }, running]) {
      const { lines } = drawFrame(watched, tellAnswers(running.campaign), size, reading);
      expect(lines.slice(0, 3).some((line) => line.startsWith(headline))).toBe(true);
      const bar = lines.find((line) => line.startsWith(`run ${instantRun}`)) ?? "";
      expect(bar).toMatch(/ {2}back \d+\/\d+ {2}░*█* ← {2}\d+ %$/u);
      expect(lines.every((line) => Array.from(line).length <= size.columns)).toBe(true);
    }
  });
});

describe("a stop for failures offers the safe verb first", () => {
  test.each(sizes)(
    "watch at $columns x $rows shows the first command completely, and never resume before it",
    (size) => {
      const { lines } = drawFrame(stopped, tellAnswers(stopped.campaign), size, reading);
      const at = (verb: string) => lines.findIndex((line) => line.includes(verb));
      expect(at(`get failures ${scope}`)).toBeGreaterThan(0);
      const resume = at(`resume ${scope}`);
      expect(resume === -1 || resume > at(`get failures ${scope}`)).toBe(true);
    },
  );
});
