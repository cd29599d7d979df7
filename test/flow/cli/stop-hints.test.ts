import { tellAnswers } from "#libs/plan";
import { makeStop } from "#test/world/build";
import { instantRun, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, test } from "vitest";

import { printStatus } from "../../../cli/show/status/print-status.ts";
import { printCampaign } from "../../../cli/show/status/print-campaign.ts";
import { renderComment } from "../../../services/notifier/render/github/comment.ts";
import { renderDashboard } from "../../../services/notifier/render/github/dashboard.ts";
import { renderRunRoot } from "../../../services/notifier/render/slack/run-root.ts";
import { renderStopPlaced } from "../../../services/notifier/render/slack/stops.ts";
import { pickCampaign } from "../five-answers-words.ts";

const scope = `run/${instantRun}` as const;
const hints = [
  [`meshroll get failures ${scope}`, "lists the failed workloads and why each failed; changes nothing"],
  [`meshroll retry ${scope}`, "once the cause is fixed: tries the failed workloads again, and the run continues"],
  [`meshroll rollback ${scope}`, "rolls back all workloads that it moved"],
  [`meshroll resume ${scope}`, "accepts these failures: failed workloads stay on the old revision"],
];

describe.each(["failures", "gate"] as const)("a stop that %s placed", (cause) => {
  const stop = makeStop({ id: `${cause}-1`, scope, cause, who: "meshroll planner", why: "it was too much" });
  const status = statusOf(makeInstant({ stops: { [stop.id]: stop } }));
  const campaign = pickCampaign(status);
  const report = {
    facts: { id: instantRun, campaign: "istio-1-25" },
    run: status.runs.find(({ id }) => id === instantRun),
    status,
  };
  const told = { stop: stop.id, scope, cause, who: stop.who, why: stop.why, strength: "move" } as const;
  const surfaces = {
    "status of the fleet": printStatus(status, tellAnswers(status), { terminal: { env: {} }, tz: "UTC" }),
    "status of the command line": printCampaign(campaign, tellAnswers(campaign), { terminal: { env: {} }, tz: "UTC" }),
    "the message of the run in Slack": JSON.stringify(renderRunRoot(report as never).blocks),
    "the message of the stop in Slack": JSON.stringify(renderStopPlaced(told).blocks),
    "the comment on the pull request": renderComment(report as never),
    "the dashboard issue": renderDashboard(status),
  };

  test("nothing continues by itself, and no surface offers resume as the only way", () => {
    expect(status.next.map(({ event }) => event)).not.toContain("BatchesEnd");
    expect(renderDashboard(status)).not.toContain("Resume: `meshroll resume");
  });

  test.each(Object.entries(surfaces))(
    "%s: look, retry, roll back, and only then resume, each with what it does",
    (_, text) => {
      const words = text.replaceAll(/\\(?!n)/gu, "").replaceAll(/\s+/gu, " ");
      const places = hints.map(([command = "", effect = ""]) => {
        const place = words.indexOf(command);
        expect(place, command).toBeGreaterThanOrEqual(0);
        expect(words.slice(place, place + 300), command).toContain(effect);
        return place;
      });
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    },
  );
});
