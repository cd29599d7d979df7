import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { makeBaseline } from "#libs/plan";
import { expect, test } from "vitest";

import { createRepositorySnapshots } from "./repository-snapshots.ts";

async function open(served: string | undefined) {
  const clock = createVirtualClock();
  const remote = createFakeRemote({ now: () => clock.now() });
  const repository = openFakeRepository(remote);
  const files = { "rollouts.yml": "production:\n  old: 100\n" };
  const main = remote.commitToMain({ files, message: "first", author: "ana", at: clock.now() });
  await openLedger(repository).record(makeBaseline(main, clock.now(), "ana", testInstallation), undefined);
  return createRepositorySnapshots(
    repository,
    openLedger(repository),
    clock,
    served === undefined ? {} : { installation: served },
  );
}

const cases = [
  { name: "its own ledger is used", served: testInstallation, want: { sequence: 1 } },
  { name: "another one's is not used, and is reported", served: "othermeshrol", want: { doubt: testInstallation } },
  { name: "a reader without an installation uses any", served: undefined, want: { sequence: 1 } },
];

test.each(cases)("1.2 $name", async ({ served, want }) => {
  const { ledger, doubt } = await (await open(served)).refresh();
  const told = doubt?.kind === "otherInstallation" ? { doubt: doubt.installation } : {};
  expect({ ...(ledger === undefined ? {} : { sequence: ledger.sequence }), ...told }).toEqual(want);
});
