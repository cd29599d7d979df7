import { describe, expect, test } from "vitest";

import type { ApiObject } from "../api-types.ts";
import { findNoDisruptionSince, readWorkloadTimes } from "./read-times.ts";
import { createServerClock } from "../requests/server-clock.ts";

const at = (second: number) => `2026-01-05T09:00:${String(second).padStart(2, "0")}Z`;
const epoch = (second: number) => Date.parse(at(second));
const status = { manager: "kube-controller-manager", subresource: "status" };

describe("times of a workload, by its API server", () => {
  const cases: readonly { readonly name: string; readonly object: ApiObject; readonly want: object | undefined }[] = [
    { name: "nothing", object: {}, want: undefined },
    {
      name: "our write, and the controller's last change of the status",
      object: {
        metadata: {
          managedFields: [
            { manager: "meshroll", operation: "Update", time: at(1) },
            { manager: "kubectl", operation: "Update", time: at(9) },
            { ...status, time: at(3) },
            { ...status, manager: "other-controller", time: at(4) },
          ],
        },
      },
      want: { written: epoch(1), status: epoch(4) },
    },
    {
      name: "who else wrote an object of which they own a part of the template",
      object: {
        metadata: {
          managedFields: [
            { manager: "meshroll", time: at(9), fieldsV1: { "f:spec": { "f:template": {} } } },
            { manager: "helm", time: at(3), fieldsV1: { "f:spec": { "f:template": { "f:spec": {} } } } },
            { manager: "kubectl-rollout", time: at(5), fieldsV1: { "f:spec": { "f:template": { "f:metadata": {} } } } },
            { manager: "hpa", time: at(7), subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } },
            { manager: "labeller", time: at(8), fieldsV1: { "f:metadata": {} } },
            { manager: "rollouts-controller", time: at(8), fieldsV1: { "f:spec": { "f:template": { "f:spec": {} } } } },
          ],
        },
      },
      want: { written: epoch(9), deployed: epoch(5) },
    },
    {
      name: "a rollout that was complete once",
      object: {
        status: {
          conditions: [
            { type: "Available", status: "True", reason: "MinimumReplicasAvailable", lastUpdateTime: at(8) },
            { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", lastUpdateTime: at(5) },
          ],
        },
      },
      want: { rolledOut: epoch(5) },
    },
    {
      name: "a pause",
      object: {
        status: { conditions: [{ type: "Progressing", reason: "DeploymentPaused", lastTransitionTime: at(6) }] },
      },
      want: { paused: epoch(6) },
    },
    {
      name: "what is not a time is not known",
      object: {
        metadata: {
          managedFields: [
            { manager: "meshroll", time: "yesterday" },
            { ...status, time: at(2) },
          ],
        },
      },
      want: { status: epoch(2) },
    },
  ];
  test.each(cases)("$name", ({ object, want }) => {
    expect(readWorkloadTimes(object)).toEqual(want);
  });
});

describe("since when a budget allows nothing", () => {
  const managedFields = [{ ...status, time: at(7) }];
  const conditions = [{ type: "DisruptionAllowed", status: "False", lastTransitionTime: at(2) }];
  const cases: readonly { readonly name: string; readonly object: ApiObject; readonly want: number | undefined }[] = [
    { name: "its condition says it", object: { metadata: { managedFields }, status: { conditions } }, want: epoch(2) },
    { name: "else its status was written last then", object: { metadata: { managedFields } }, want: epoch(7) },
    { name: "nothing is known", object: {}, want: undefined },
    {
      name: "it allows something",
      object: { metadata: { managedFields }, status: { disruptionsAllowed: 1 } },
      want: undefined,
    },
  ];
  test.each(cases)("$name", ({ object, want }) => {
    expect(findNoDisruptionSince(object)).toBe(want);
  });
});

test("the API server's time advances between two answers, and is unknown before the first", () => {
  let elapsed = 500;
  const clock = createServerClock({ elapsed: () => elapsed });
  clock.hear(undefined);
  clock.hear("no date");
  expect(clock.now()).toBeUndefined();
  clock.hear("Mon, 05 Jan 2026 09:00:07 GMT");
  elapsed += 2500;
  expect(clock.now()).toBe(epoch(7) + 2500);
  clock.hear("Mon, 05 Jan 2026 09:00:08 GMT");
  expect(clock.now()).toBe(epoch(8));
});
