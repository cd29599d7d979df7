import { type ClusterSnapshot, findIdlePatterns, type Spec } from "#libs/plan";

import { type CheckResult, pass, skip, warn } from "./check.ts";

const check = { code: "MR9069", area: "k8s" } as const;

/** Whether each pattern of main matches a namespace of the fleet, as `plan` checks it (MR1022). */
export function judgePatterns(spec: Spec, clusters: readonly ClusterSnapshot[]): readonly CheckResult[] {
  const unseen = clusters.filter(({ fresh }) => !fresh).map(({ name }) => name);
  if (unseen.length > 0)
    return [skip(check, `which patterns match nothing is not known: ${unseen.join(", ")} is not seen now`)];
  const idle = findIdlePatterns(spec, clusters);
  if (idle.length === 0) return [pass(check, "every pattern of main matches a namespace")];
  return idle.map(({ file, line, column, message, help = "" }) =>
    warn(check, `${file}:${line}:${column} ${message}`, help),
  );
}
