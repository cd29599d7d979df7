import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";

import type { Broker } from "../../../scripts/brokers/broker.ts";
import { startNats } from "../../../scripts/brokers/start-brokers.ts";
import { findChromium } from "../browser/find-chromium.ts";
import { openBrowser } from "../browser/open-browser.ts";
import { openPlannerStub, type PlannerStub } from "./planner-stub.ts";
import { type ApiProcess, startApi } from "./start-api.ts";

/** A real NATS, api and browser; only the planner is replaced. */
export interface Bed {
  readonly nats: Broker;
  readonly api: ApiProcess;
  readonly planner: PlannerStub;
  readonly browser: Browser;
  close(): Promise<void>;
}

export async function openBed(): Promise<Bed> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-page-"));
  const nats = await startNats({ folder, log: () => undefined });
  const browser = await openBrowser(await findChromium(() => undefined));
  const planner = await openPlannerStub(nats.urlOf("planner"));
  const api = await startApi(nats.urlOf("api"));
  return {
    nats,
    api,
    planner,
    browser,
    async close() {
      await browser.close();
      await api.kill();
      await planner.close();
      await nats.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
