import type { ModelWebhook, Selector } from "./objects.ts";

type Rules = ModelWebhook["rules"];

const NOT_REFUSED = { key: "sidecar.istio.io/inject", operator: "NotIn", values: ["false"] } as const;
const NO_INJECTION_LABEL = { key: "istio-injection", operator: "DoesNotExist" } as const;
const NO_REVISION_LABEL = { key: "istio.io/rev", operator: "DoesNotExist" } as const;

/**
 * The webhooks that Istio's chart installs for a revision or a tag called `label`. Namespace labels beat pod labels,
 * and `istio-injection` beats `istio.io/rev`: both follow from these selectors alone.
 */
export function createInjectorRules(label: string): Rules {
  const revision: Rules = [
    {
      name: "rev.namespace.sidecar-injector.istio.io",
      namespaces: expect({ key: "istio.io/rev", operator: "In", values: [label] }, NO_INJECTION_LABEL),
      objects: expect(NOT_REFUSED),
    },
    {
      name: "rev.object.sidecar-injector.istio.io",
      namespaces: expect(NO_REVISION_LABEL, NO_INJECTION_LABEL),
      objects: expect(NOT_REFUSED, { key: "istio.io/rev", operator: "In", values: [label] }),
    },
  ];
  return label === "default" ? [...revision, ...createDefaultRules()] : revision;
}

/** Only the revision or tag `default` answers `istio-injection=enabled` and `sidecar.istio.io/inject: "true"` alone. */
function createDefaultRules(): Rules {
  return [
    {
      name: "namespace.sidecar-injector.istio.io",
      namespaces: expect({ key: "istio-injection", operator: "In", values: ["enabled"] }),
      objects: expect(NOT_REFUSED),
    },
    {
      name: "object.sidecar-injector.istio.io",
      namespaces: expect(NO_INJECTION_LABEL, NO_REVISION_LABEL),
      objects: expect({ key: "sidecar.istio.io/inject", operator: "In", values: ["true"] }, NO_REVISION_LABEL),
    },
  ];
}

function expect(...matchExpressions: NonNullable<Selector["matchExpressions"]>): Selector {
  return { matchExpressions };
}
