import { expect, test } from "vitest";

import { findIstiodVersion, readVersionName } from "./istiod-version.ts";

const names = [
  ["1-25-2", "1.25.2"],
  ["v1-25-2", "1.25.2"],
  ["default-v1-26-0", "1.26.0"],
  ["istio-1-25-2", "1.25.2"],
  ["1-26-0-rc-1", "1.26.0-rc.1"],
  ["1-26-0-beta1", "1.26.0-beta.1"],
  ["1-25", undefined],
  ["asm-1203-2", undefined],
  ["prod2-1-25-2", undefined],
  ["1-25-2-canary", undefined],
  ["a1-b22-c3-v1-25-2", "1.25.2"],
  ["1.25.2.beta.3", "1.25.2-beta.3"],
  ["1-25-2-rc-", undefined],
  ["1-25-2-rc-1-x", undefined],
  ["x1-25-2", undefined],
  ["1_25_2", undefined],
  ["1-25-2x", undefined],
  ["a-1-v-25-2", undefined],
] as const;
for (const [name, want] of names) {
  test(`the name ${name} means ${want ?? "no version"}`, () => {
    expect(readVersionName(name)).toBe(want);
  });
}

const [said, injects] = ["1.31.0", "hub/proxyv2:1.30.2-distroless"];
const cases = [
  ["what it reports counts", said, injects, "1-29-0", "1.31.0 istiod"],
  ["without a report, what it injects", undefined, injects, "1-29-0", "1.30.2 image"],
  ["while its istiods are replaced, what it injects", "1.30.2, 1.31.0", injects, "1-29-0", "1.30.2 image"],
  ["without both, its name", undefined, undefined, "1-29-0", "1.29.0 name"],
  ["an image without a version tells nothing", undefined, "hub/proxyv2@sha256:0f", "1-29-0", "1.29.0 name"],
  ["an unreadable report is not outdone by the name", "unknown", undefined, "1-29-0", undefined],
  ["nothing is known", undefined, undefined, "canary", undefined],
] as const;
test.each(cases)("the version of an istiod: %s", (_, version, image, name, want) => {
  const plane = { name, webhook: true, istiod: "ready" as const, ...(version === undefined ? {} : { version }) };
  const injection = image === undefined ? {} : { [name]: { state: "proven" as const, image } };
  const found = findIstiodVersion({ revisions: [plane], injection }, name);
  expect(found.version === undefined ? undefined : `${found.text} ${found.by}`).toBe(want);
});
