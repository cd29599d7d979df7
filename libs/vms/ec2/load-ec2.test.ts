import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { loadSdk } from "./load-ec2.ts";

describe("loadSdk", () => {
  const { devDependencies, peerDependencies } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  ) as { readonly devDependencies: Record<string, string>; readonly peerDependencies: Record<string, string> };

  it("a package that is not installed is named, with the command that installs the version that is tested", async () => {
    const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    const tested = devDependencies["@aws-sdk/client-ec2"] ?? "";
    const wanted = loadSdk(async () => Promise.reject(missing));
    await expect(wanted).rejects.toThrow("@aws-sdk/client-ec2, which calls it, is not installed where meshroll is");
    await expect(wanted).rejects.toThrow(`npm install --global --ignore-scripts @aws-sdk/client-ec2@${tested}`);
    expect(peerDependencies["@aws-sdk/client-ec2"]).toBe(tested);
  });

  it("a package that is broken is not called missing", async () => {
    await expect(loadSdk(async () => Promise.reject(new TypeError("broken")))).rejects.toThrow("broken");
  });
});
