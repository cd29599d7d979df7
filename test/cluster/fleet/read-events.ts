import type { SeenEvent } from "../../../libs/kube/conformance/events.ts";
import type { OwnCluster } from "../bed/start-cluster.ts";
import type { Workload } from "./workloads.ts";
import type { Kind } from "#libs/fleet";

interface EventList {
  readonly items: readonly (SeenEvent & { readonly reportingController?: string; readonly eventTime: string | null })[];
}

/** The Events that meshroll wrote about the workload, read from the API server, oldest first. */
export function readEvents(
  cluster: Pick<OwnCluster, "kubectl">,
  { namespace, name, kind = "Deployment" }: Pick<Workload, "namespace" | "name"> & { readonly kind?: Kind },
): readonly SeenEvent[] {
  const about = `regarding.kind=${kind},regarding.name=${name}`;
  const args = ["-n", namespace, "get", "events.v1.events.k8s.io", "--field-selector", about, "-o", "json"];
  const { items } = JSON.parse(cluster.kubectl(args)) as EventList;
  return items
    .filter(({ reportingController }) => reportingController === "meshroll.dev/executor")
    .toSorted((a, b) => String(a.eventTime).localeCompare(String(b.eventTime)));
}

/** The reasons of these Events. */
export function readReasons(...asked: Parameters<typeof readEvents>): readonly string[] {
  return readEvents(...asked).map(({ reason }) => reason);
}
