import type { RevisionUse } from "#libs/fleet";

import type { KubeconfigSource } from "../access/find-kubeconfig.ts";
import type { ApiObject } from "../api-types.ts";
import { connect } from "../requests/connection.ts";
import type { Send } from "../requests/api-call.ts";
import { countConnected } from "./count-connected.ts";
import { listConfig } from "./list-config.ts";
import { listInstalled } from "./list-installed.ts";
import {
  hasInjector,
  listInjectors,
  listNamespaces,
  listUnlabelledNamespaces,
  listTags,
  listTemplates,
  listValidators,
} from "./list-labels.ts";
import { listPods } from "./list-pods.ts";
import { readAll } from "./read-all.ts";
import type { RevisionUsage } from "./usage.ts";

const admission = "/apis/admissionregistration.k8s.io/v1";
/** Kinds that make pods from a template, and their plural names in the API. */
const templated: Readonly<Record<string, string>> = {
  Deployment: "/apis/apps/v1/deployments",
  StatefulSet: "/apis/apps/v1/statefulsets",
  DaemonSet: "/apis/apps/v1/daemonsets",
  ReplicaSet: "/apis/apps/v1/replicasets",
  ReplicationController: "/api/v1/replicationcontrollers",
  Job: "/apis/batch/v1/jobs",
  CronJob: "/apis/batch/v1/cronjobs",
  Rollout: "/apis/argoproj.io/v1alpha1/rollouts",
};

function compareUses(a: RevisionUse, b: RevisionUse): number {
  return a.as === b.as ? a.what.localeCompare(b.what, "en") : a.as < b.as ? -1 : 1;
}

/** Asks one API server which objects use the revision; @internal for tests. */
export async function readUsageBy(send: Send, revision: string): Promise<Omit<RevisionUsage, "readAt">> {
  const unread: string[] = [];
  const read = async (what: string, path: string): Promise<readonly ApiObject[]> => {
    const all = await readAll(send, path);
    if (all.kind === "unread") unread.push(`${what}: ${all.why}`);
    return all.kind === "read" ? all.items : [];
  };
  const [pods, namespaces, injectors, validators] = await Promise.all([
    read("pods", "/api/v1/pods"),
    read("namespaces", "/api/v1/namespaces"),
    read("mutatingwebhookconfigurations", `${admission}/mutatingwebhookconfigurations`),
    read("validatingwebhookconfigurations", `${admission}/validatingwebhookconfigurations`),
  ]);
  const tags = listTags(injectors, revision);
  const names = [revision, ...tags];
  const unlabelled = listUnlabelledNamespaces(namespaces);
  const { live, ended } = listPods(pods, revision);
  const templates = await Promise.all(
    Object.entries(templated).map(async ([kind, path]) =>
      listTemplates(kind, await read(kind, path), names, unlabelled),
    ),
  );
  const [config, connected, plane] = await Promise.all([
    listConfig(send, names),
    countConnected(send, pods, revision),
    listInstalled(send, revision, { injectors, validators }),
  ]);
  const uses = [
    ...live,
    ...templates.flat(),
    ...listNamespaces(namespaces, names),
    ...tags.map((tag): RevisionUse => ({ as: "tag", what: `tag/${tag}`, count: 1 })),
    ...listValidators(validators, revision),
    ...listInjectors(injectors, revision),
    ...config.uses,
    ...connected.uses,
  ];
  return {
    uid: namespaces.find(({ metadata = {} }) => metadata.name === "kube-system")?.metadata?.uid ?? "",
    isInstalled: hasInjector(injectors, revision),
    uses: uses.toSorted(compareUses),
    ended: ended.toSorted(compareUses),
    installed: plane.installed,
    installedUnread: plane.unread,
    unread: [...unread, ...config.unread, ...connected.unread],
  };
}

/**
 * What uses the revision in one cluster, with the rights of the kubeconfig's account. Throws `KubeconfigError`, or an error
 * that says why the server gave no answer.
 */
export async function readRevisionUsage(kubeconfig: KubeconfigSource, revision: string): Promise<RevisionUsage> {
  let date: string | undefined;
  const connection = await connect(kubeconfig, {
    onBytes: () => undefined,
    onDate: (said) => void (date = said ?? date),
  });
  const usage = await readUsageBy(async (call) => connection.send(call), revision);
  const readAt = date === undefined ? Number.NaN : Date.parse(date);
  return { ...usage, readAt: Number.isNaN(readAt) ? undefined : readAt };
}
