import { readFileSync } from "node:fs";

import { tellAnswers } from "#libs/plan";
import { makeStop } from "#test/world/build";
import { type Instant, makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import type { Reading } from "../../options/reading-options.ts";
import { printCampaign } from "./print-campaign.ts";

const page = readFileSync(new URL("../../../docs/reference/status.md", import.meta.url), "utf8");
const berlin: Reading = { terminal: { env: {} }, tz: "Europe/Berlin" };

function print(instant: Instant = {}, reading: Reading = berlin): string {
  const [campaign] = statusOf(makeInstant(instant)).campaigns ?? [];
  if (campaign === undefined) throw new Error("the status names no campaign");
  return printCampaign(campaign, tellAnswers(campaign), reading);
}

const hold = makeStop({ id: "h-31", scope: "campaign/istio-1-25", strength: "propose", who: "ana", why: "INC-9921" });
const pause = makeStop({ id: "p-32", scope: "campaign/istio-1-25", who: "ana", why: "5xx on listings, INC-9921" });

describe("one campaign for people", () => {
  it("is printed as the reference shows it", () => {
    const [, sample = ""] = /^```text\n(istio-1-25 [^]*?)^```$/mu.exec(page) ?? [];
    expect(print()).toBe(sample);
  });

  it("fits 80 columns, plain or not", () => {
    for (const reading of [berlin, { ...berlin, plain: true }]) {
      const lines = print({ stops: { [hold.id]: hold, [pause.id]: pause } }, reading).split("\n");
      expect(lines.filter((line) => Array.from(line).length > 80)).toEqual([]);
    }
  });

  it("is only ASCII with --plain", () => {
    expect(print({ stops: { [pause.id]: pause } }, { ...berlin, plain: true })).toMatch(/^[\n -~]*$/u);
  });

  it("shows a pause once, as a wait, and a hold next to the answers", () => {
    const paused = print({ stops: { [pause.id]: pause } });
    expect(paused).toContain("waiting    campaign/istio-1-25 is stopped by ana: 5xx on listings");
    expect(paused.split("meshroll resume campaign/istio-1-25")).toHaveLength(2);
    expect(paused).not.toContain("  stopped  ");
    const held = print({ stops: { [hold.id]: hold } });
    expect(held).toContain("  stopped    hold on campaign/istio-1-25  h-31, by ana");
    expect(held).toContain("then nothing: prod-50 is not proposed while the stop of ana on");
  });
});
