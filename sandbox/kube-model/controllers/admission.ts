import type { ModelNamespace, ModelWebhook, Template } from "../objects/objects.ts";
import { selects } from "../objects/selector.ts";
import type { State } from "../state/state.ts";

export type Admission =
  | { readonly kind: "injected"; readonly revision: string }
  | { readonly kind: "plain" }
  /** The webhook matched but its istiod did not answer; failurePolicy Fail refuses the pod. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * What happens to a new pod on its way in: the webhooks by name, then the injector's own policy. Where several match all are called,
 * and the last one's sidecar takes the place of the others' (seen with Istio 1.31 on Kubernetes 1.36).
 */
export function admitPod(state: State, namespace: ModelNamespace, template: Template): Admission {
  const matching = [...state.webhooks.values()]
    .filter((webhook) => matches(webhook, namespace, template))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const answers = ({ elsewhere, revision }: ModelWebhook) => elsewhere !== undefined || isServing(state, revision);
  const silent = matching.find((webhook) => webhook.failurePolicy !== "Ignore" && !answers(webhook));
  if (silent !== undefined) return { kind: "refused", why: describeFailure(silent) };
  const last = matching.findLast(answers);
  if (last === undefined) return { kind: "plain" };
  // The injector skips these itself, so a dead istiod still holds them up: policy comes after the call.
  const refused = template.hostNetwork || template.annotations["sidecar.istio.io/inject"] === "false";
  return refused ? { kind: "plain" } : { kind: "injected", revision: last.revision };
}

function matches(webhook: ModelWebhook, namespace: ModelNamespace, template: Template): boolean {
  return webhook.rules.some(
    (rule) => selects(rule.namespaces, namespace.labels) && selects(rule.objects, template.labels),
  );
}

/** Is an istiod of that revision up to answer its webhook? */
function isServing(state: State, revision: string): boolean {
  const workloads = state.namespaces.get("istio-system")?.workloads.values() ?? [];
  for (const workload of workloads) {
    const { labels } = workload;
    if (labels["app"] === "istiod" && labels["istio.io/rev"] === revision && workload.status.available > 0) return true;
  }
  return false;
}

function describeFailure({ rules, revision }: ModelWebhook): string {
  const name = rules[0]?.name ?? "sidecar-injector.istio.io";
  return (
    `Internal error occurred: failed calling webhook "${name}": failed to call webhook: Post ` +
    `"https://istiod-${revision}.istio-system.svc:443/inject?timeout=10s": context deadline exceeded`
  );
}
