import { expect, test } from "vitest";

import { createTroubles } from "./troubles.ts";

function makeTroubles() {
  let changes = 0;
  const troubles = createTroubles(() => void changes++);
  return { troubles, changes: () => changes };
}

test("a repeated text is one trouble, and a change is reported once", () => {
  const { troubles, changes } = makeTroubles();
  troubles.put("a/Deployment/web", "forbidden");
  troubles.put("a/Deployment/web", "forbidden");
  troubles.put("a/Deployment/web", "still forbidden");
  expect([troubles.list(), changes()]).toEqual([["still forbidden"], 2]);
  troubles.clear("a/Deployment/web");
  troubles.clear("a/Deployment/web");
  expect([troubles.list(), changes()]).toEqual([[], 3]);
});

test("the cluster's own troubles come first and are never pushed out by workloads", () => {
  const { troubles } = makeTroubles();
  for (let index = 0; index < 150; index++) troubles.put(`a/Deployment/w${index}`, `w${index}`);
  troubles.put("recorded stops", "the stop cannot be written");
  for (let index = 150; index < 1000; index++) troubles.put(`a/Deployment/w${index}`, `w${index}`);
  const listed = troubles.list();
  expect(listed).toHaveLength(21);
  expect([listed[0], listed.at(-1)]).toEqual([
    "the stop cannot be written",
    "and 180 more workloads, see the executor's log",
  ]);
});

test("the trouble of a deleted workload is dropped", () => {
  const { troubles } = makeTroubles();
  troubles.put("recorded stops", "not written");
  troubles.put("a/Deployment/web", "forbidden");
  troubles.put("a/Deployment/api", "forbidden too");
  troubles.retainWorkloads((key) => key === "a/Deployment/api");
  expect(troubles.list()).toEqual(["not written", "forbidden too"]);
});
