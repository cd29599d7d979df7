import type { Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";

import { noon } from "../world/build.ts";
import { allMigrated, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

const nothingYet = () => "pending" as const;
const instants = [
  { now: noon - 3_600_000, progress: nothingYet },
  { now: noon - 60_000 },
  { now: noon, progress: allMigrated },
];
const timeOf = (at: number): string => new Date(at).toISOString();
const [first, second, third] = instants.map(({ now }) => timeOf(now));
const at = (time = ""): string => `?at=${encodeURIComponent(time)}`;

beforeAll(async () => {
  for (const { now, ...instant } of instants) {
    await bed().planner.publish(makeInstant({ ...instant, snapshot: { now } }));
    await bed().planner.keepPicture();
  }
  const read = async () => (await (await fetch(`${bed().api.url}/v1/pictures`)).json()) as { readonly times?: unknown };
  await vi.waitFor(async () => expect((await read()).times).toEqual([first, second, third]), 10_000);
});

const readLegend = async (page: Page): Promise<string> =>
  (await page.getByRole("list", { name: "Namespaces by state" }).textContent()) ?? "";
const readShown = async (page: Page): Promise<string | null> =>
  page.getByRole("region", { name: "An earlier time" }).locator("time").first().getAttribute("datetime");

it("the page shows the fleet as it was, says so, and nothing of the present", async () => {
  const page = await bed().open(`/${at(second)}`);
  await expect.poll(() => page.getByRole("status").textContent()).toContain("picture of");
  expect(await readShown(page)).toBe(second);
  expect(await page.getByRole("heading", { name: /^Failures/ }).textContent()).toContain("1 workload in");
  expect(await readLegend(page)).toContain("failed 1");
  expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0);
  expect(await page.locator("main").textContent()).toContain("commands are of then");
  const countdown = await page.locator(".countdown").first().textContent();
  await bed().planner.publish(makeInstant({ progress: allMigrated, snapshot: { now: noon } }));
  await page.getByRole("link", { name: "Back to now" }).click();
  await expect.poll(() => page.getByRole("status").textContent()).toBe("live");
  await expect.poll(() => readLegend(page)).toContain("failed 0");
  expect(new URL(page.url()).search).toBe("");
  await page.goBack();
  await expect.poll(() => readLegend(page)).toContain("failed 1");
  expect(await page.locator(".countdown").first().textContent()).toBe(countdown);
});

it("from the present one link leads to the newest picture, and on to the earlier and later ones", async () => {
  const page = await bed().open("/?state=Pending");
  await page.getByRole("link", { name: "Earlier", exact: true }).click();
  await expect.poll(() => readShown(page)).toBe(third);
  const [earlier, later] = [page.getByRole("link", { name: "← Earlier" }), page.getByRole("link", { name: "Later →" })];
  expect(await later.getAttribute("aria-disabled")).toBe("true");
  await earlier.click();
  await expect.poll(() => readShown(page)).toBe(second);
  await earlier.click();
  await expect.poll(() => readShown(page)).toBe(first);
  await later.click();
  await expect.poll(() => readShown(page)).toBe(second);
  expect(new URL(page.url()).searchParams.get("state")).toBe("Pending");
  await expect.poll(() => page.locator("main").textContent()).toContain("Picture 2 of 3");
});

it("the slider is moved by the keyboard, and names the time that it points at", async () => {
  const page = await bed().open(`/${at(third)}`);
  const slider = page.getByRole("slider", { name: "Picture 3 of 3" });
  await slider.focus();
  const said = await slider.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => readShown(page)).toBe(second);
  const moved = page.getByRole("slider", { name: "Picture 2 of 3" });
  expect(await moved.getAttribute("aria-valuetext")).not.toBe(said);
  await page.keyboard.press("Home");
  await expect.poll(() => readShown(page)).toBe(first);
  expect(new URL(page.url()).searchParams.get("at")).toBe(first);
  expect(await page.evaluate("document.activeElement?.id")).toBe("times");
});

it("a replay shows one picture after the other up to the newest, where motion is welcome", async () => {
  const page = await bed().open(`/${at(first)}`);
  await page.getByRole("button", { name: "Play" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await expect.poll(() => readShown(page)).toBe(third);
  await page.getByRole("button", { name: "Play" }).waitFor();
  expect(new URL(page.url()).searchParams.get("at")).toBe(third);
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => readShown(page)).toBe(first);
  await page.getByRole("link", { name: "Back to now" }).click();
  await expect.poll(() => page.getByRole("status").textContent()).toBe("live");
  const still = await bed().open(`/${at(first)}`, { reducedMotion: "reduce" });
  await still.getByRole("slider").waitFor();
  expect(await still.getByRole("button", { name: "Play" }).count()).toBe(0);
});

it("links within the page stay at that time: a namespace as it was, and back", async () => {
  const page = await bed().open(`/${at(second)}`);
  const row = page.getByRole("region", { name: "Namespaces" }).getByRole("link").first();
  const name = (await row.textContent()) ?? "";
  await row.click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  expect(new URL(page.url()).searchParams.get("at")).toBe(second);
  expect(await readShown(page)).toBe(second);
  expect(await page.getByRole("button", { name: /^Copy/ }).count()).toBe(0);
  await page.getByRole("link", { name: "All campaigns and namespaces" }).click();
  await expect.poll(() => page.url().startsWith(`${bed().api.url}/?`)).toBe(true);
  expect(await readShown(page)).toBe(second);
});

it("a run is shown as it is: pictures are of the fleet", async () => {
  const page = await bed().open(`/runs/x${at(second)}`);
  await expect.poll(() => page.getByRole("status").textContent()).toBe("live");
});

it("where no picture is kept the page says so, with what is kept and the command for the ledger", async () => {
  const page = await bed().open(`/${at("2020-01-01T00:00:00Z")}`);
  await page.getByRole("heading", { level: 1, name: "No picture" }).waitFor();
  const main = page.locator("main");
  expect(await main.textContent()).toMatch(/Pictures are kept from .* to /);
  await page.getByRole("button", { name: "Copy meshroll history" }).waitFor();
  await main.locator("a").first().click();
  await expect.poll(() => readShown(page)).toBe(first);
});

it("a time that cannot be read is named, and not repeated", async () => {
  const page = await bed().open(`/${at("<script>alert(1)</script>")}`);
  await expect.poll(() => page.locator("main").textContent()).toContain("no time in at that can be read");
  expect(await page.locator("main").textContent()).not.toContain("alert");
});

it("while NATS is away a picture cannot be read; the page says so, and shows it by itself afterwards", async () => {
  const page = await bed().open("/");
  await expect.poll(() => page.getByRole("status").textContent()).toBe("live");
  await bed().nats.kill();
  await expect.poll(() => page.getByRole("status").textContent()).toContain("NATS does not answer");
  await page.goto(`${bed().api.url}/${at(first)}`);
  await expect.poll(() => page.locator("main").textContent()).toContain("The picture could not be read");
  await bed().nats.start();
  await expect.poll(() => readShown(page)).toBe(first);
});

it("after a wipe of the bus no picture is kept, and the page says so", async () => {
  await bed().nats.kill();
  bed().nats.wipe();
  await bed().nats.start();
  const page = await bed().open(`/${at(first)}`);
  await expect.poll(() => page.locator("main").textContent()).toContain("No picture of the fleet is kept yet");
});
