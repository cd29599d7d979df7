import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { commands } from "../../scripts/package/manifest.ts";

interface Plugin {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly platforms: readonly { readonly bin: string; readonly uri: string; readonly sha256: string }[];
  };
}

const text = readFileSync(fileURLToPath(new URL("../../deploy/krew/meshroll.yaml", import.meta.url)), "utf8");
const filled = text
  .replaceAll("{{VERSION}}", "1.2.3")
  .replaceAll("{{REPOSITORY}}", "acme/meshroll")
  .replaceAll("{{SHA256}}", "a".repeat(64));

describe("the template for krew", () => {
  it("is complete once a release fills it in", () => {
    const { metadata, spec } = parse(filled) as Plugin;
    expect(filled).not.toContain("{{");
    expect(metadata.name).toBe("meshroll");
    expect(spec.version).toBe("v1.2.3");
    // krew's own limit.
    expect(spec.shortDescription.length).toBeLessThanOrEqual(50);
  });

  it("starts a program of the package by the name that kubectl looks for", () => {
    const { spec } = parse(filled) as Plugin;
    const names = Object.keys(commands).map((name) => `node_modules/meshroll/bin/${name}.mjs`);
    expect(names).toContain("node_modules/meshroll/bin/kubectl_complete-meshroll.mjs");
    for (const { bin, sha256 } of spec.platforms) {
      expect(names).toContain(bin);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/u);
    }
  });
});
