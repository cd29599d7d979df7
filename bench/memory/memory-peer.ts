import {
  AdmissionregistrationV1Api,
  AppsV1Api,
  CoreV1Api,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
  PolicyV1Api,
} from "@kubernetes/client-node";

import { STOPS_NAMESPACE } from "../../libs/kube/index.ts";
import { WATCHED } from "../../libs/kube/watch/watched-resources.ts";
import type { Seen } from "./memory-reading.ts";

interface Page {
  readonly limit: number;
  readonly _continue?: string;
}

/** The same as ours. The library's usual informer lists a collection in one answer; with pages its peak is lower. */
const PAGE = 500;

/** Kubernetes' own collections. The library has no calls for Istio's and Argo's, and the bench's cluster has none of their objects. */
type Own = Exclude<(typeof WATCHED)[number]["name"], "workloadgroups" | "workloadentries" | "rollouts">;

/** Informers as the library documents them, on the collections that an executor watches. */
export async function startInformers(config: KubeConfig): Promise<{ count(): Seen }> {
  const core = config.makeApiClient(CoreV1Api);
  const apps = config.makeApiClient(AppsV1Api);
  const policy = config.makeApiClient(PolicyV1Api);
  const admission = config.makeApiClient(AdmissionregistrationV1Api);
  const lists: Readonly<Record<Own, (page: Page) => Promise<KubernetesListObject<KubernetesObject>>>> = {
    namespaces: (page) => core.listNamespace(page),
    deployments: (page) => apps.listDeploymentForAllNamespaces(page),
    statefulsets: (page) => apps.listStatefulSetForAllNamespaces(page),
    daemonsets: (page) => apps.listDaemonSetForAllNamespaces(page),
    pods: (page) => core.listPodForAllNamespaces(page),
    poddisruptionbudgets: (page) => policy.listPodDisruptionBudgetForAllNamespaces(page),
    mutatingwebhookconfigurations: (page) => admission.listMutatingWebhookConfiguration(page),
    configmaps: (page) => core.listNamespacedConfigMap({ namespace: STOPS_NAMESPACE, ...page }),
  };
  const failed = Promise.withResolvers<never>();
  const informers = WATCHED.flatMap(({ name, path }) => {
    if (name === "workloadgroups" || name === "workloadentries" || name === "rollouts") return [];
    const informer = makeInformer(config, path, () => listAll(lists[name]));
    informer.on("error", (error: unknown) => failed.reject(error));
    return [{ name, informer }];
  });
  await Promise.race([Promise.all(informers.map(({ informer }) => informer.start())), failed.promise]);
  const countOf = (...names: readonly string[]) =>
    informers.filter(({ name }) => names.includes(name)).reduce((sum, { informer }) => sum + informer.list().length, 0);
  return { count: () => ({ workloads: countOf("deployments", "statefulsets", "daemonsets"), pods: countOf("pods") }) };
}

async function listAll(
  list: (page: Page) => Promise<KubernetesListObject<KubernetesObject>>,
): Promise<KubernetesListObject<KubernetesObject>> {
  let page = await list({ limit: PAGE });
  const items = [...page.items];
  for (let token = page.metadata?._continue; token !== undefined && token !== ""; token = page.metadata?._continue) {
    page = await list({ limit: PAGE, _continue: token });
    items.push(...page.items);
  }
  return { ...page, items };
}
