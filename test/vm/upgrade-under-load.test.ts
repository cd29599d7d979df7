import { spawnSync } from "node:child_process";

import { expect, it } from "vitest";

import { type Bed, openBed } from "./bed/bed.ts";
import { type Envoy, findEnvoys } from "./envoys/find-envoys.ts";
import { describeTally, type Tally } from "./traffic/open-load.ts";
import { startLoad, startUpstream } from "./traffic/traffic.ts";

const count = 3;
const clients = 8;
const leastRequests = 100_000;
const patience = { timeout: 120_000, interval: 200 };

/** Envoy's hot restart version, which it prints on stderr. */
function readHotRestart({ path }: Envoy): string {
  return spawnSync(path, ["--hot-restart-version"], { encoding: "utf8" }).stderr.trim();
}

async function moveAll({ vms }: Bed, revision: string, code = "UpToDate"): Promise<void> {
  for (const vm of vms) vm.tag(revision);
  for (const vm of vms)
    await expect.poll(() => vm.report(), patience).toMatchObject({ tag: revision, reason: { code }, ready: true });
}

it("upgrades and rolls back all VMs under load without a failed request; a plain stop and start fails some", async () => {
  const [older, newer] = findEnvoys(process.env, () => undefined);
  if (older === undefined || newer === undefined) throw new Error("two Envoys are needed");
  const upstream = await startUpstream();
  const bed = await openBed(count, upstream);
  const { vms } = bed;
  const hot = readHotRestart(older);
  expect(readHotRestart(newer)).toBe(hot);
  bed.publish("1-24-5", older, hot);
  bed.publish("1-25-2", newer, hot);
  bed.publishBroken("1-26-0", hot);
  bed.publish("plain-1-25-2", newer);
  await moveAll(bed, "1-24-5");

  const targets = vms.map(({ port }) => ({ host: "127.0.0.1", port }));
  const hotLoad = startLoad(targets, clients);
  await moveAll(bed, "1-25-2");
  expect(await Promise.all(vms.map(async (vm) => vm.readVersion()))).toEqual(vms.map(() => newer.version));
  await moveAll(bed, "1-24-5");
  expect(await Promise.all(vms.map(async (vm) => vm.readVersion()))).toEqual(vms.map(() => older.version));
  // A revision whose proxy exits at once is rolled back without a failed request.
  const begun = performance.now();
  await moveAll(bed, "1-26-0", "Quarantined");
  const backMs = performance.now() - begun;
  for (const vm of vms) {
    expect(vm.report()).toMatchObject({ revision: "1-24-5", attempted: "1-26-0" });
    expect(vm.readRules()).toEqual([
      ..."up 1-24-5,down 1-24-5,up 1-25-2,down 1-25-2,up 1-24-5".split(","),
      ..."down 1-24-5,up 1-26-0,down 1-26-0,up 1-24-5".split(","),
    ]);
  }
  for (let tally = await hotLoad.read(); tally.answered < leastRequests; tally = await hotLoad.read()) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const byHotRestart = await hotLoad.end();
  console.log(`${count} VMs, upgrade, rollback and a broken revision, by hot restart: ${describeTally(byHotRestart)}`);
  console.log(
    `all back from the broken revision after ${Math.round(backMs / 1000)} s; an agent has ${vms[0]?.readMemory() ?? 0} MB`,
  );
  expect(byHotRestart).toMatchObject({ failed: 0, faults: {} });
  expect(byHotRestart.answered).toBeGreaterThanOrEqual(leastRequests);
  expect(backMs).toBeLessThan(60_000);

  const plainLoad = startLoad(targets, clients);
  await moveAll(bed, "plain-1-25-2");
  const byRestart = await plainLoad.end();
  console.log(`${count} VMs, one upgrade by stop and start: ${describeTally(byRestart)}`);
  const rate = ({ answered, failed }: Tally) => Math.round((failed / (answered + failed)) * 100_000);
  console.log(`failed of each 100,000: ${rate(byHotRestart)} by hot restart, ${rate(byRestart)} by stop and start`);
  // The load must notice a closed listener, otherwise the first part proves nothing.
  expect(byRestart.failed).toBeGreaterThan(0);
});
