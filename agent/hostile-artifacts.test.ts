import { describe, expect, it } from "vitest";

import { attacks, playAttack } from "./test-attacks.ts";
import { makeTestFolder } from "./test-vm.ts";

describe("an artifact store that an attacker controls", () => {
  it.each(attacks)("installs nothing for $name, and says why", async (attack) => {
    const { report, code, isAccepted } = await playAttack(makeTestFolder(), attack);
    expect({ code, message: report?.message }).toEqual({
      code: attack.wantCode,
      message: expect.stringMatching(attack.wantMessage) as string,
    });
    expect(report).toMatchObject({ revision: "1-24-5", ready: true });
    expect(isAccepted).toBe(false);
  });
});
