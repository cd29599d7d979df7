import { makeCluster } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import { describe, expect, test } from "vitest";

import { findVersionObstacle } from "./max-version.ts";

/** The target revision `new` in a cluster, by what its istiod reports. */
function makePlane(version: string | undefined, revision = "new") {
  const facts = { name: revision, webhook: true, istiod: "ready" as const };
  return makeCluster("one", [], { facts: { revisions: [version === undefined ? facts : { ...facts, version }] } });
}

function request(version: string | undefined, maxVersion: string | undefined, target = "new") {
  const campaign = { file: "campaigns/a.yml", target };
  const asked = maxVersion === undefined ? campaign : { ...campaign, maxVersion };
  return wordsOf(findVersionObstacle(asked, makePlane(version, target)));
}

describe("Sail's decision matrix", () => {
  const matrix = [
    ["1.24.1", "1.24.2", undefined, true],
    ["1.24.1", "1.25.0", undefined, true],
    ["1.24.1", "2.0.0", undefined, true],
    ["1.24.1", "1.24.5", "1.24.999", true],
    ["1.24.1", "1.25.0", "1.24.999", false],
    ["1.24.1", "1.26.0", "1.25.0", false],
    ["1.24.1", "1.25.3", "1.26.0", true],
    ["1.26.0", "2.0.0", "1.999.0", false],
    ["1.25.0", "1.24.0", "1.24.999", true],
  ] as const;
  for (const [from, to, max, want] of matrix) {
    test(`${from} -> ${to} with maxVersion ${max ?? "unset"} ${want ? "migrates" : "does not"}`, () => {
      expect(request(to, max)?.code).toBe(want ? undefined : "VersionAboveMax");
      expect(request(`v${to}`, max === undefined ? undefined : `v${max}`)?.code).toBe(
        want ? undefined : "VersionAboveMax",
      );
      // The name is what is left where istiod does not answer.
      expect(request(undefined, max, to.replaceAll(".", "-"))?.code).toBe(want ? undefined : "VersionAboveMax");
    });
  }
});

describe("pre-releases, by semantic versioning", () => {
  const cases = [
    ["1.26.0-rc.1", "1.26.0", undefined],
    ["1.26.0-rc.1", "1.25.999", "VersionAboveMax"],
    ["1.26.0", "1.26.0-rc.1", "VersionAboveMax"],
    ["1.26.1-fips", "1.26.0", "VersionAboveMax"],
    // What Istio's own builds between two minors report.
    ["1.30-alpha.9f2c1d", "1.29.999", "VersionAboveMax"],
  ] as const;
  for (const [version, max, want] of cases) {
    test(`${version} with maxVersion ${max}: ${want ?? "goes"}`, () => {
      expect(request(version, max)?.code).toBe(want);
    });
  }
});

describe("an unknown version is refused", () => {
  for (const version of ["", "unknown", "1.25", " 1.25.2", `1.25.2-${"a".repeat(200)}`]) {
    test(`an istiod that reports ${JSON.stringify(version.slice(0, 20))}, though its name is a version`, () => {
      expect(request(version, "1.999.0", "1-25-2")?.code).toBe("VersionUnknown");
    });
    test(`a maxVersion ${JSON.stringify(version.slice(0, 20))}`, () => {
      expect(request("1.25.2", version)?.code).toBe("MaxVersionUnreadable");
    });
  }

  test("a name without a version, and a revision that does not exist", () => {
    expect(request(undefined, "1.999.0", "canary")?.code).toBe("VersionUnknown");
    const nowhere = { file: "campaigns/a.yml", target: "canary", maxVersion: "1.999.0" };
    expect(findVersionObstacle(nowhere, makePlane("1.25.0"))?.code).toBe("VersionUnknown");
  });

  test("the reason names cluster, owner and the command that shows what istiod says", () => {
    expect(request(undefined, "1.25.999", "canary")).toEqual({
      code: "VersionUnknown",
      message:
        "the version of revision canary in one is not known (its istiod did not report one, and its name is not one either), " +
        "and the campaign goes no further than 1.25.999",
      owner: "the mesh operator",
      command: "kubectl get --raw /api/v1/namespaces/istio-system/services/istiod-canary:15014/proxy/version",
    });
  });
});

test("the default revision's istiod has a name of its own", () => {
  expect(request(undefined, "1.25.999", "default")?.command).toContain("/services/istiod:15014/");
});

test("a version is shown with its source, cut where it is absurd", () => {
  expect(request(undefined, "1.25.999", "1-27-0")?.message).toBe(
    "revision 1-27-0 in one is 1.27.0 (its istiod did not say, its name means so), above the campaign's maxVersion 1.25.999",
  );
  const long = "x".repeat(100);
  expect(request(long, "1.25.999")?.message).toContain(`"${"x".repeat(64)}", which is not a version`);
  expect(request("1.27.0", "1.25.999")).toMatchObject({
    owner: "the campaign's owner",
    command: "a pull request that raises maxVersion in campaigns/a.yml",
  });
  expect(request("1.27.0", "1.25")).toMatchObject({
    message: 'maxVersion "1.25" of campaigns/a.yml is not a version: three numbers, such as 1.25.999',
    command: "meshroll validate campaigns/a.yml",
  });
});

test("what istiod reports counts, not the name it was given", () => {
  expect(request("1.27.0", "1.25.999", "1-25-2")?.message).toContain("is 1.27.0 (its istiod reports so)");
  expect(request("1.25.2", "1.25.999", "1-27-0")).toBeUndefined();
});

test("a target that is a tag is judged by the revision that it points to", () => {
  const revisions = [{ name: "1-26-0", webhook: true, istiod: "ready" as const, version: "1.26.0" }];
  const cluster = makeCluster("one", [], { facts: { revisions, tags: { prod: "1-26-0" } } });
  const campaign = { file: "campaigns/a.yml", target: "prod" };
  expect(findVersionObstacle({ ...campaign, maxVersion: "1.26.0" }, cluster)).toBeUndefined();
  expect(findVersionObstacle({ ...campaign, maxVersion: "1.25.0" }, cluster)?.code).toBe("VersionAboveMax");
});
