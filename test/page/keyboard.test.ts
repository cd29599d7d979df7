import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";

import { makeInstant } from "../world/campaigns/campaign-instant.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => bed().planner.publish(makeInstant()));

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

it("the page has no animation, with and without prefers-reduced-motion", async () => {
  for (const reducedMotion of ["reduce", "no-preference"] as const) {
    const page = await bed().open("/", { reducedMotion });
    await page.getByRole("region", { name: "Namespaces" }).waitFor();
    expect(await page.evaluate("document.getAnimations().length")).toBe(0);
  }
});
