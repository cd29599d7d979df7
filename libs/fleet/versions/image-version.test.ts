import { describe, expect, test } from "vitest";

import { isSkewed, readImageVersion } from "./image-version.ts";

const images = [
  ["docker.io/istio/proxyv2:1.31.0", "1.31.0"],
  ["localhost:5000/istio/proxyv2:1.31.0-distroless", "1.31.0"],
  ["proxyv2:1.30-alpha.9f2c-debug", "1.30-alpha.9f2c"],
  ["gcr.io/asm/proxyv2:1.20.8-asm.33", "1.20.8-asm.33"],
  ["hub/proxyv2:1.29", "1.29"],
  ["hub/proxyv2:1.31.0@sha256:0f", "1.31.0"],
  ["hub/proxyv2@sha256:0f", undefined],
  ["hub/proxyv2:latest", undefined],
  ["localhost:5000/proxyv2", undefined],
  ["hub/proxyv2", undefined],
  ["", undefined],
] as const;
test.each(images)("the tag of %s says %s", (image, want) => {
  expect(readImageVersion(image)?.text).toBe(want);
});

describe("more than one minor apart", () => {
  const pairs = [
    ["1.30.0", "1.30.7", false],
    ["1.29.9", "1.30.0", false],
    ["1.31.0", "1.30.9", false],
    ["1.28.9", "1.30.0", true],
    ["1.32.0", "1.30.9", true],
    ["1.31-alpha.1", "1.30.0", false],
    ["1.32.0-rc.0", "1.30.0", true],
    ["2.30.0", "1.30.0", true],
  ] as const;
  test.each(pairs)("a proxy of %s with an istiod of %s: %s", (proxy, istiod, want) => {
    const [own, other] = [readImageVersion(`proxyv2:${proxy}`), readImageVersion(`pilot:${istiod}`)];
    if (own === undefined || other === undefined) throw new Error("no version");
    expect(isSkewed(own.version, other.version)).toBe(want);
  });
});
