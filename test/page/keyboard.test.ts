import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";

import { noon } from "../world/build.ts";
import { instantRun, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { makeHistory } from "./bed/make-history.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => {
  await bed().planner.publish(makeInstant());
  await bed().planner.keepPicture();
  await bed().planner.publishHistory(makeHistory(120));
});

const focused = "document.activeElement?.textContent?.trim() ?? ''";

async function isOnCells(page: Page): Promise<boolean> {
  return page.evaluate("document.activeElement?.getAttribute('aria-label')?.startsWith('production: ') ?? false");
}

it("the first Tab stop skips the links, and a cell's namespace can be opened and left by the keyboard", async () => {
  const page = await bed().open("/");
  const cells = page.getByRole("group", { name: /^production: 120 namespaces, 25 % requested on 1-25-2/ });
  await cells.waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(focused)).toBe("Skip to the content");
  await page.keyboard.press("Enter");
  for (let stops = 0; stops < 40 && !(await isOnCells(page)); stops += 1) await page.keyboard.press("Tab");
  expect(await isOnCells(page)).toBe(true);
  for (const key of ["End", "Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  const picked = await page.locator(".picked a").textContent();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: picked ?? "" }).waitFor();
  expect(page.url()).toContain(`/namespaces/${picked}`);
  await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("H1");
  await page.goBack();
  await cells.waitFor();
});

interface Stop {
  readonly name: string;
  readonly outline: string;
  /** Behind the header, which stays at the top. */
  readonly isHidden: boolean;
}

/** Runs in the page: what has the focus, and whether a person sees that. */
const readStop = `(() => {
  const at = document.activeElement;
  const { top, bottom } = at.getBoundingClientRect();
  const header = document.querySelector(".top");
  return {
    name: at.getAttribute("aria-label") ?? (at.closest("label") ?? at).textContent.trim(),
    outline: getComputedStyle(at).outlineStyle,
    isHidden: !header.contains(at) && !at.matches(".skip") && bottom <= header.getBoundingClientRect().bottom && top >= 0,
  };
})()`;

const lastStop = "Save this view as a report";

/** All stops of Tab, from the first one to the button at the end of each view. */
async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  while (stops.at(-1)?.name !== lastStop && stops.length < 400) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate<Stop>(readStop));
  }
  return stops;
}

const paths = [
  { path: "/", passes: ["Clusters", "Waits", "Failures", "Namespaces", "name"] },
  {
    path: "/namespaces/team-043",
    passes: ["What happened to its workloads", "Stages of its bucket", "Copy meshroll explain team-043"],
  },
  {
    path: `/runs/${instantRun}`,
    passes: ["Clusters of the run", "Waits", "Skipped workloads", `Copy meshroll history run/${instantRun}`],
  },
  { path: "/history", passes: ["Decisions", "Copy meshroll history -n 100", "words"] },
  { path: `/?at=${new Date(noon).toISOString()}`, passes: ["Namespaces", "Back to now"] },
];

it.each(paths)("Tab leads through all of $path, and each stop is seen", async ({ path, passes }) => {
  const page = await bed().open(path);
  await page.getByRole("region", { name: passes[0] ?? "", exact: true }).waitFor();
  const stops = await walk(page);
  const names = stops.map(({ name }) => name);
  expect(names.at(-1)).toBe(lastStop);
  expect(names).toEqual(expect.arrayContaining(passes));
  expect(stops.filter(({ outline, isHidden }) => outline === "none" || isHidden)).toEqual([]);
});

it("the page has no animation, with and without prefers-reduced-motion", async () => {
  for (const reducedMotion of ["reduce", "no-preference"] as const) {
    const page = await bed().open("/", { reducedMotion });
    await page.getByRole("region", { name: "Namespaces" }).waitFor();
    expect(await page.evaluate("document.getAnimations().length")).toBe(0);
  }
});
