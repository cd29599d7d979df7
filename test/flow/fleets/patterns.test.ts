import { expect, test } from "vitest";

import { fillShops, lookAt, openCliEnvironment, rollouts } from "../cli/cli-environment.ts";

/** A person means `shop-*` as a shell pattern; the regular expression `^shop-*$` does not match `shop-01`. */
const files = { "rollouts.yml": `shop-*:\n  1.25.2: 100\n${rollouts}` };

test("6 plan names likely mistakes in its files, with both readings, and the pattern that matches nothing", async () => {
  const environment = await openCliEnvironment(files, fillShops);
  const { code, stdout } = await environment.meshroll(["plan", "--from", "main", ...lookAt(environment)]);
  const text = stdout.replaceAll(/\s+/gu, " ");
  expect(code).toBe(0);
  for (const part of [
    /warning\[MR1020\].*rollouts\.yml:1:5 = help: .*shop-\.\*/u,
    /warning\[MR1021\].*rollouts\.yml:2:3 = help: .*1-25-2/u,
    /warning\[MR1022\].*rollouts\.yml:1:1/u,
  ])
    expect(text).toMatch(part);
});
