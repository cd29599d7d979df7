import { describe, expect, it } from "vitest";
import { checkSuites, checkNames } from "../../scripts/guards/names.ts";

describe("names that are meaningless or not kebab-case are refused", () => {
  const cases = [
    { path: "libs/rollouts/utils/x.ts", wantComplaints: 1 },
    { path: "services/helpers/x.ts", wantComplaints: 1 },
    { path: "libs/common/index.ts", wantComplaints: 1 },
    { path: "cli/misc/x.ts", wantComplaints: 1 },
    { path: "libs/shared/index.ts", wantComplaints: 1 },
    { path: "libs/rollouts/types/x.ts", wantComplaints: 1 },
    { path: "libs/rollouts/utils.ts", wantComplaints: 1 },
    { path: "libs/rollouts/helpers.test.ts", wantComplaints: 1 },
    { path: "libs/rollouts/parseRollouts.ts", wantComplaints: 1 },
    { path: "libs/rollouts/parse_rollouts.ts", wantComplaints: 1 },
    { path: "libs/Spec/parse.ts", wantComplaints: 1 },
    { path: "libs/stray.ts", wantComplaints: 1 },
    { path: "services/stray.ts", wantComplaints: 1 },
    { path: "libs/shared/parseIt.ts", wantComplaints: 2 },
    { path: "libs/rollouts/source/types.ts", wantComplaints: 0 },
    { path: "libs/rollouts/parse-rollouts.test.ts", wantComplaints: 0 },
    { path: "libs/rollouts/edit/edit.property.test.ts", wantComplaints: 0 },
    { path: "sandbox/kube-model/controllers/patch.ts", wantComplaints: 0 },
    { path: "vitest.config.ts", wantComplaints: 0 },
    { path: ".ci/run", wantComplaints: 0 },
    { path: "docs/adr/0001-nats-io-packages.md", wantComplaints: 0 },
    { path: "README.md", wantComplaints: 0 },
    { path: ".github/ISSUE_TEMPLATE/bug.yml", wantComplaints: 0 },
    { path: ".github/Other_Names/bug.yml", wantComplaints: 1 },
    { path: "test/fixtures/Their_Names/utils/x.ts", wantComplaints: 0 },
  ];

  it.each(cases)("$path: $wantComplaints", ({ path, wantComplaints }) => {
    expect(checkNames([path])).toHaveLength(wantComplaints);
  });
});

describe("an adapter has a conformance suite", () => {
  const adapter = ["libs/bus/port.ts", "libs/bus/fake.ts"];

  it("a fake without a suite is refused", () => {
    expect(checkSuites(adapter).map(({ path }) => path)).toEqual(["libs/bus/port.ts"]);
  });

  it("a fake in another folder needs one, too", () => {
    expect(checkSuites(["libs/kube/port.ts", "sandbox/kube-model/index.ts"])).toHaveLength(1);
  });

  it("another lib's suite does not count", () => {
    expect(checkSuites([...adapter, "libs/git/conformance.ts"])).toHaveLength(1);
  });

  it("a fake with a suite passes", () => expect(checkSuites([...adapter, "libs/bus/conformance.ts"])).toEqual([]));

  it("builders of a pure lib need none", () => expect(checkSuites(["libs/fleet/fake.ts"])).toEqual([]));
});
