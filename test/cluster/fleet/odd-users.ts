import { stringify } from "yaml";

/** Users of a revision that are no Deployment, StatefulSet or DaemonSet, in namespaces `odd` and `odd-later`, as YAML. */
export function describeOddUsers(revision: string): string {
  const labels = { "istio.io/rev": revision };
  const containers = [{ name: "app", image: "registry.example/app:1" }];
  const template = { metadata: { labels }, spec: { restartPolicy: "Never", containers } };
  const place = (name: string) => ({ namespace: "odd", name });
  const objects = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "odd-later", labels } },
    { apiVersion: "v1", kind: "Pod", metadata: { ...place("bare"), labels }, spec: { containers } },
    { apiVersion: "batch/v1", kind: "Job", metadata: place("report"), spec: { template } },
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: place("nightly"),
      spec: { schedule: "0 3 1 1 *", jobTemplate: { spec: { template } } },
    },
    {
      apiVersion: "networking.istio.io/v1",
      kind: "Sidecar",
      metadata: { ...place("narrow"), labels },
      spec: { egress: [{ hosts: ["./*"] }] },
    },
  ];
  return objects.map((each) => stringify(each)).join("---\n");
}
