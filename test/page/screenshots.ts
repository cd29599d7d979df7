import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Browser } from "playwright-core";

import { noon } from "../world/build.ts";
import { instantRun, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { makeHistory } from "./bed/make-history.ts";
import { type Bed, openBed } from "./bed/open-bed.ts";
import { tableOf } from "./bed/planner-stub.ts";
import { makeOpenReport } from "./bed/run-reports.ts";
import { compactPng } from "./pictures/compact-png.ts";

// `npm run screenshots`: makes docs/pictures, each view of the page in light and dark.

const folder = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const table = tableOf(makeInstant());

/** A namespace of the fixture that the next stage moves. */
const coming = table.rows.find(([, , movesAt]) => movesAt !== null && movesAt > 25 && movesAt < 50)?.[0] ?? "";

interface View {
  readonly name: string;
  readonly path: string;
  /** A heading that is there when the data is. */
  readonly shows: string | RegExp;
  readonly height: number;
  /** What the header's sign says; absent: live. */
  readonly sign?: string;
}

const views: readonly View[] = [
  { name: "page", path: "/", shows: /^Namespaces/, height: 1250 },
  { name: "namespace", path: `/namespaces/${coming}`, shows: "What its owner can do", height: 1270 },
  { name: "run", path: `/runs/${instantRun}`, shows: "What a person can do", height: 1500 },
  { name: "history", path: "/history", shows: "Decisions", height: 1100 },
  {
    name: "earlier",
    path: `/?at=${new Date(noon).toISOString()}`,
    shows: /^Namespaces/,
    height: 1250,
    sign: "picture of",
  },
];

async function draw(browser: Browser, { api }: Bed, view: View, colorScheme: "light" | "dark"): Promise<void> {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1180, height: view.height } });
  await page.goto(api.url + view.path);
  await page
    .getByRole("status")
    .filter({ hasText: view.sign ?? "live" })
    .first()
    .waitFor();
  await page.getByRole("heading", { name: view.shows }).waitFor();
  const png = compactPng(await page.screenshot());
  writeFileSync(`${folder}${view.name}-${colorScheme}.png`, png);
  process.stderr.write(`docs/pictures/${view.name}-${colorScheme}.png: ${Math.round(png.length / 1000)} kB\n`);
  await page.close();
}

const bed = await openBed();
try {
  await bed.planner.publish(makeInstant({ snapshot: { now: noon } }));
  await bed.planner.keepPicture();
  await bed.planner.publish(makeInstant());
  await bed.planner.keepPicture();
  await bed.planner.publishHistory(makeHistory(120));
  await bed.planner.publishRun(makeOpenReport());
  for (const view of views) for (const scheme of ["light", "dark"] as const) await draw(bed.browser, bed, view, scheme);
} finally {
  await bed.close();
}
