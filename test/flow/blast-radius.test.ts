import { expect, test } from "vitest";

import { file, openShop, refOf, running, settingsOf } from "./shop.ts";

const names = Array.from({ length: 10 }, (_, n) => `n${String(n).padStart(2, "0")}`);

/** Those who were written, and those whose pods ran `new` at the end. */
const count = (flow: Awaited<ReturnType<typeof openShop>>) => ({
  written: names.filter((name) => flow.model("one").writes.some(({ path }) => path.includes(`/shop-${name}/`))).length,
  onNew: names.filter((name) => running(flow, refOf(name)).includes("new")).length,
});

test("V8 one commit changes everybody, and the new revision starts nowhere: one batch is hurt, put back, and all stops", async () => {
  const settings = settingsOf("batchSize: 3, readinessTimeout: 2m, failurePolicy: FailFast");
  const flow = await openShop({ names, settings });
  flow.model("one").breakWorkload(() => true, { how: "neverReady", whenRevision: "new" });

  flow.whenMerged(file(100));
  await flow.pass(6 * 60_000);

  expect(count(flow)).toEqual({ written: 3, onNew: 0 });
  expect((await flow.status())?.waitingFor.map(({ code }) => code)).toContain("Stopped");
  await flow.end();
});
