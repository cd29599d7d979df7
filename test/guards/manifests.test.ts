import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { describe, expect, it, test } from "vitest";
import { parseAllDocuments } from "yaml";

import { refuseImage } from "../../scripts/manifests/place-image.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const image = `registry.example.com/mesh/meshroll@sha256:${"ab".repeat(32)}`;

function print(...args: readonly string[]) {
  return spawnSync(process.execPath, ["scripts/manifests/main.ts", ...args], { cwd: root, encoding: "utf8" });
}

describe("an image of the manifests", () => {
  const cases = [
    { name: "nothing", image: undefined, want: "no image is named" },
    { name: "a tag alone", image: "acme/meshroll:1.0.0", want: "not named by its digest" },
    { name: "the digest of no image", image: `acme/meshroll@sha256:${"0".repeat(64)}`, want: "digest of no image" },
    { name: "half a digest", image: "acme/meshroll@sha256:abcd", want: "not named by its digest" },
    { name: "a line more", image: `${image}\n  privileged: true`, want: "not named by its digest" },
  ];
  test.each(cases)("is refused where it is $name", (each) => {
    expect(refuseImage(each.image)).toContain(each.want);
  });

  it("is accepted by its digest, also with a registry's port and a tag", () => {
    const named = `registry.example.com:5000/meshroll:1.0.0@sha256:${"ab".repeat(32)}`;
    expect([image, named].map(refuseImage)).toEqual([undefined, undefined]);
  });
});

describe("npm run manifests", () => {
  it("prints every manifest with the image, and no placeholder image", () => {
    const { status, stdout } = print("--image", image);
    const all = parseAllDocuments(stdout).map((each) => each.toJS() as { readonly kind?: string } | null);
    const kinds = new Set(all.map((each) => each?.kind));
    expect([status, kinds.has("Deployment"), kinds.has("ClusterRole")]).toEqual([0, true, true]);
    expect([stdout.split(`image: ${image}`).length - 1, stdout.includes("0".repeat(64))]).toEqual([1, false]);
  });

  it("prints nothing without an image, and says what to type", () => {
    const { status, stdout, stderr } = print();
    expect([status, stdout]).toEqual([65, ""]);
    expect(stderr).toContain("npm run -s manifests -- --image");
  });
});
