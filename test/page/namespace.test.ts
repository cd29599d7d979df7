import { beforeAll, expect, it } from "vitest";

import { makeInstant } from "../world/campaigns/campaign-instant.ts";
import { tableOf } from "./bed/planner-stub.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();
const table = tableOf(makeInstant());
const find = (state: string, least = 0) =>
  table.rows.find((row) => table.states[row[5]] === state && (row[2] ?? 0) > least)?.[0] ?? "none";

beforeAll(async () => bed().planner.publish(makeInstant()));

it("an owner reads when the namespace moves, why, and the command that pins it", async () => {
  const name = find("OnTrack", 50);
  const page = await bed().open(`/namespaces/${name}`);
  const main = page.locator("main");
  await expect.poll(() => main.textContent()).toContain("It moves with a stage that is still to come");
  for (const words of ["prod-100", "of istio-1-25", `meshroll pin ${name} 1-24-5 --for 7d`, "production", "1-24-5"]) {
    expect(await main.textContent()).toContain(words);
  }
});

it("an owner of a failed namespace reads why, and the command for a retry", async () => {
  const page = await bed().open(`/namespaces/${find("Failed")}`);
  const main = page.locator("main");
  await expect.poll(() => main.textContent()).toContain("ReadinessTimeout");
  expect(await main.textContent()).toContain("meshroll retry run/");
});

it("the page of an unknown name says so", async () => {
  const page = await bed().open("/namespaces/no-such-team");
  await expect.poll(() => page.locator("main").textContent()).toContain("No managed namespace has this name");
});
