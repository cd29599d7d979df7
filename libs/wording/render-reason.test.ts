import { expect, test } from "vitest";

import { listReasonCodes, nameOwners, printText, type Reason, renderReason } from "./index.ts";

test("1.5 the owners of a campaign are those of its file, else they are named after it", () => {
  expect(nameOwners({ name: "up", owners: ["team:mesh", "user:ana"] })).toBe("team:mesh, user:ana");
  expect(nameOwners({ name: "up", owners: [] })).toBe("the owners of campaign up");
});

test("every code is CamelCase, and there is one sentence for each", () => {
  const codes = listReasonCodes();
  expect(codes.filter((code) => !/^[A-Z][A-Za-z]+$/u.test(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
});

test("what a sentence does not need stays out of what people read, and the time at which it ends stays in", () => {
  const reason: Reason = { code: "DelayBetweenBatches", cluster: "one", until: "2026-11-19T12:00:00.000Z" };
  expect(renderReason(reason)).toEqual({
    code: "DelayBetweenBatches",
    message: "the next batch in one starts after the delay",
    owner: "meshroll",
    until: "2026-11-19T12:00:00.000Z",
  });
});

test("a control plane that runs elsewhere is a setting, named as it is written in meshroll.yml", () => {
  const reason: Reason = { code: "IstiodNotReady", cluster: "one", revision: "new", istiod: "missing" };
  expect(printText(renderReason(reason).message)).toBe(
    "istiod of revision new is missing in one; where it runs elsewhere, clusters.one.controlPlane has to be set in meshroll.yml",
  );
});
