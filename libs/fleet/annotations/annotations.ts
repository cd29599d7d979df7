/** Every annotation and label that meshroll writes or reads. `docs/reference/annotations.md` has a section for each. */
export const annotationKeys = {
  /** Object: JSON of exactly the fields that our last write changed, as they were before it. */
  previous: "meshroll.dev/previous",
  /** Object: `<revision> <reason> <time>[ <code> <revision of before>][ <JSON of the cause>]`. */
  failed: "meshroll.dev/failed",
  /** Object: `<run> <revision>[ UnhealthyBefore][ #n]`. */
  run: "meshroll.dev/run",
  /** Object: the value of `run` once all pods of that move were ready on its target. */
  arrived: "meshroll.dev/arrived",
  /** Template: `<revision>[#n]`, only where no label changes. */
  restartedFor: "meshroll.dev/restarted-for",
  /** Object: the one revision that it may be moved to. */
  pin: "meshroll.dev/pin",
  /** Object: any value but `false` keeps meshroll from moving it; the value is the owner's reason. */
  optOut: "meshroll.dev/opt-out",
  /** Object: its rollout may take away more pods than its budgets allow; the value is the owner's reason, `false` = it may not. */
  ignoreBudget: "meshroll.dev/ignore-budget",
  /** Object: when `meshroll mutate` wrote the revision label in CI. */
  mutatedAt: "meshroll.dev/mutated-at",
  /** WorkloadGroup: the revision of its VMs, which is to it what the label `istio.io/rev` is to a pod template. */
  vmRevision: "meshroll.dev/revision",
  /** Object: the commit whose answer `meshroll mutate` wrote. */
  specCommit: "meshroll.dev/spec-commit",
  /** Namespace label: `enabled` lets meshroll's injector serve pods that carry no label. */
  inject: "meshroll.dev/inject",
} as const;

/** Annotations of the Sail proposal, which owners may write under its prefix or under ours. */
export const sailKeys = {
  /** `true` keeps meshroll from moving it. */
  skipMigration: ["sailoperator.io/skip-migration", "meshroll.dev/skip-migration"],
  readinessTimeout: ["sailoperator.io/readiness-timeout", "meshroll.dev/readiness-timeout"],
  migrationBatch: ["sailoperator.io/migration-batch", "meshroll.dev/migration-batch"],
} as const;

/** Istio's labels and annotations that decide who injects a pod. */
export const istioKeys = {
  revision: "istio.io/rev",
  /** Namespace only. */
  injection: "istio-injection",
  /** Label of the pod. The older annotation of this name counts only without the label. */
  inject: "sidecar.istio.io/inject",
  /** Annotation of the pod: which templates the injector uses. */
  templates: "inject.istio.io/templates",
  /** Annotation of the pod: the image of its sidecar, in place of the injector's own. */
  proxyImage: "sidecar.istio.io/proxyImage",
  /** Label of gateways that Istio deploys by itself. */
  managedGateway: "gateway.istio.io/managed",
} as const;
