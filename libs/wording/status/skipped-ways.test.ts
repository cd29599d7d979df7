import { expect, test } from "vitest";

import { nameRestartWay } from "./skipped-ways.ts";

const ways: readonly (readonly [kind: string, name: string, want: string])[] = [
  ["Deployment", "web", "kubectl -n shop rollout restart deployment/web"],
  ["Rollout", "web", "kubectl argo rollouts -n shop restart web"],
  ["Pod", "bare", "kubectl -n shop delete pod bare"],
  ["Job", "report", "kubectl -n shop get job report"],
  ["Job", "…", "kubectl -n shop get job"],
];

test.each(ways)("how the owner of a %s restarts it, or sees it", (kind, name, want) => {
  expect(nameRestartWay({ namespace: "shop", kind, name })).toBe(want);
});
