import { makeControlPlane, makeWorkload } from "#fakes/fleet";
import { printWorkloadReason, renderWorkloadReason } from "#libs/wording";
import { expect, it } from "vitest";

import { findProxySkew } from "./find-proxy-skew.ts";

interface Case {
  readonly name: string;
  /** The tag of the image that its owner pins; absent = nothing is pinned. */
  readonly pins?: string;
  /** In a container of its template, not by the annotation. */
  readonly inContainer?: true;
  /** What istiod reports, and the tag of what it injects. */
  readonly istiod?: string;
  readonly injects?: string;
  readonly want: string | undefined;
}

const cases: readonly Case[] = [
  { name: "nothing is pinned, whatever is known", want: undefined },
  { name: "the same minor", pins: "1.31.4", istiod: "1.31.0", want: undefined },
  { name: "one minor behind", pins: "1.30.0", istiod: "1.31.0", want: undefined },
  { name: "one minor ahead", pins: "1.32.0-rc.1", istiod: "1.31.0", want: undefined },
  { name: "two minors behind", pins: "1.29.0", istiod: "1.31.0", want: "1.29.0 by 1.31.0" },
  { name: "two minors ahead", pins: "1.33.0", istiod: "1.31.0", want: "1.33.0 by 1.31.0" },
  { name: "by what is injected", pins: "1.29.0", injects: "1.31.0-distroless", want: "1.29.0 by 1.31.0" },
  { name: "in a container", pins: "1.29.0", inContainer: true, istiod: "1.31.0", want: "1.29.0 by 1.31.0" },
  { name: "a tag without a version", pins: "latest", istiod: "1.31.0", want: "unknown by 1.31.0" },
  { name: "an istiod of an unknown version", pins: "1.31.0", want: "1.31.0 by unknown" },
];

it.each(cases)("a pinned sidecar and its istiod: $name", ({ pins, inContainer, istiod, injects, want }) => {
  const image = `own/proxyv2:${pins}`;
  const isAnnotated = pins !== undefined && inContainer === undefined;
  const { template } = makeWorkload(
    isAnnotated ? { templateAnnotations: { "sidecar.istio.io/proxyImage": image } } : {},
  );
  const plane = makeControlPlane(["canary"]);
  const cluster = {
    ...plane,
    revisions: plane.revisions.map((each) => (istiod === undefined ? each : { ...each, version: istiod })),
    ...(injects === undefined
      ? {}
      : { injection: { canary: { state: "proven" as const, image: `istio/proxyv2:${injects}` } } }),
  };
  const found = findProxySkew(inContainer === true ? { ...template, proxyImage: image } : template, "canary", cluster);
  expect(found && `${found.proxy ?? "unknown"} by ${found.istiod ?? "unknown"}`).toBe(want);
});

it("a tag is judged by its revision, and the sentence has both versions and the fix", () => {
  const { template } = makeWorkload({
    templateAnnotations: { "sidecar.istio.io/proxyImage": "own/proxyv2:1.29.0" },
  });
  const revisions = [{ name: "canary", webhook: true, istiod: "ready" as const, version: "1.31.0" }];
  const found = findProxySkew(template, "prod", { revisions, tags: { prod: "canary" } });
  expect(found && printWorkloadReason(renderWorkloadReason(found))).toBe(
    "its sidecar is own/proxyv2:1.29.0 (sidecar.istio.io/proxyImage of its template), of version 1.29.0, more than one minor " +
      "from istiod 1.31.0 of canary: remove that, or name an image whose tag is a version within one minor of that istiod",
  );
});
