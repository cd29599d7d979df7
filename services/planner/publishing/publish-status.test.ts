import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { readStatus } from "#libs/events";
import { createVirtualClock } from "#fakes/runtime";
import { makeLedger, makeSnapshot } from "#test/world/build";
import { expect, it } from "vitest";

import { plannerConfig } from "../config.ts";
import { createStatusPublisher } from "./publish-status.ts";

it.each([[undefined], ["https://meshroll.example.com"]])(
  "where the page is served is part of the status: %s",
  async (page) => {
    const status = openFakeBus(createFakeBusServer()).bucket("status");
    const publish = createStatusPublisher(status, createVirtualClock(), page);
    await publish({ snapshot: makeSnapshot({ ledger: makeLedger() }), decisions: [] });
    expect(readStatus((await status.get("fleet"))?.value ?? "")?.page).toBe(page);
  },
);

it("an address that cannot be a link is refused at the start", () => {
  const read = (page: string) => plannerConfig.shape.MESHROLL_PAGE_URL.safeParse(page).success;
  expect(read("https://meshroll.example.com")).toBe(true);
  expect(read("https://ana:secret@meshroll.example.com")).toBe(false);
  expect(read("meshroll.example.com")).toBe(false);
});
