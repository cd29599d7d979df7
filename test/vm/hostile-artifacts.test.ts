import { expect, it } from "vitest";

import { attacks, playAttack } from "../../agent/test-attacks.ts";
import { makeTestFolder } from "../../agent/test-vm.ts";

it("no hostile artifact is accepted, and the report of each has the code of its refusal", async () => {
  let accepted = 0;
  for (const attack of attacks) {
    const { report, code, isAccepted } = await playAttack(makeTestFolder(), attack);
    if (isAccepted) accepted += 1;
    expect({ name: attack.name, code }).toEqual({ name: attack.name, code: attack.wantCode });
    expect(report).toMatchObject({ revision: "1-24-5", ready: true });
  }
  console.log(`${attacks.length} hostile artifacts, ${accepted} accepted`);
  expect(attacks.length).toBeGreaterThanOrEqual(14);
  expect(accepted).toBe(0);
});
