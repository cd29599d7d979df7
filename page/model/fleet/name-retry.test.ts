import { expect, it } from "vitest";

import { nameRetry } from "./name-retry.ts";

const workload = "prod-use1-a:team-043/Deployment/api";
const cases = [
  {
    title: "this workload of its run",
    run: "6d65",
    workload,
    want: `meshroll retry run/6d65 ${workload} --reason "…"`,
  },
  { title: "no run is known: to look", workload, want: "meshroll get failures" },
  {
    title: "a name that a shell would read: all that failed in the run",
    run: "6d65",
    workload: "one:$(id)/Deployment/api",
    want: 'meshroll retry run/6d65 --reason "…"',
  },
  { title: "a run that a shell would read: to look", run: "1;id", workload, want: "meshroll get failures" },
];

it.each(cases)("the command of a failure: $title", ({ want, ...failed }) => expect(nameRetry(failed)).toBe(want));
