import { expect, test } from "vitest";

import type { ApiObject, PodKind } from "../../api-types.ts";
import { readRolloutUnavailable } from "./rollout-unavailable.ts";

type Spec = NonNullable<ApiObject["spec"]>;

const rolling = (maxSurge: number | string, maxUnavailable: number | string): Spec => ({
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
});
const inPlace = (rollingUpdate: object): Spec => ({ updateStrategy: { type: "RollingUpdate", rollingUpdate } });

test.each<[name: string, kind: PodKind, spec: Spec, replicas: number, want: number | undefined]>([
  ["a Deployment's defaults add a pod first, up to 3", "Deployment", {}, 3, 0],
  ["and take a fourth away, rounded down", "Deployment", rolling("25%", "25%"), 7, 1],
  ["a pod more, none less", "Deployment", rolling(1, 0), 1, 0],
  ["none more, one less", "Deployment", rolling(0, 1), 3, 1],
  ["percentages that are nothing take one", "Deployment", rolling("0%", "10%"), 3, 1],
  ["no more than there are", "Deployment", rolling(0, 5), 2, 2],
  ["all of them", "Deployment", rolling("25%", "100%"), 4, 4],
  ["Recreate takes all", "Deployment", { strategy: { type: "Recreate" } }, 5, 5],
  ["a StatefulSet takes one", "StatefulSet", {}, 3, 1],
  ["or as many as it says, rounded down", "StatefulSet", inPlace({ maxUnavailable: "50%" }), 5, 2],
  ["but one at least", "StatefulSet", inPlace({ maxUnavailable: "10%" }), 5, 1],
  ["a DaemonSet takes one", "DaemonSet", inPlace({ maxSurge: 0, maxUnavailable: 1 }), 10, 1],
  ["or a share, rounded up", "DaemonSet", inPlace({ maxUnavailable: "15%" }), 10, 2],
  ["one that surges takes none", "DaemonSet", inPlace({ maxSurge: 1, maxUnavailable: 0 }), 10, 0],
  ["OnDelete takes none by itself", "DaemonSet", { updateStrategy: { type: "OnDelete" } }, 10, 0],
  ["a canary of Argo's takes what a Deployment does", "Rollout", { strategy: { canary: {} } }, 8, 2],
  ["by a text without a sign too", "Rollout", { strategy: { canary: { maxSurge: 0, maxUnavailable: "50" } } }, 8, 4],
  ["one that shifts traffic takes none", "Rollout", { strategy: { canary: { trafficRouting: {} } } }, 8, 0],
  ["a blue-green update takes none", "Rollout", { strategy: { blueGreen: {} } }, 8, 0],
  ["without pods none goes", "Deployment", { strategy: { type: "Recreate" } }, 0, 0],
  ["what is no amount is unknown", "Deployment", rolling(1, "few"), 3, undefined],
])("%s: %s", (_name, kind, spec, replicas, want) => {
  expect(readRolloutUnavailable(kind, { spec }, replicas)).toBe(want);
});
