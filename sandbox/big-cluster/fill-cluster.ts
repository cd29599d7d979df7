import { createModel, createStepClock, type KubeModel } from "#fakes/kube";
import { nameNamespaces } from "#sandbox/fleet";

const REVISIONS = ["1-24-5", "1-25-2"];
const NAMES = ["api", "web", "worker", "cron", "gateway"];

/** A cluster with this many Deployments in the mesh, five to a namespace, each with this many Ready pods. */
export function fillCluster(workloads: number, podsEach: number): KubeModel {
  const model = createModel({ clock: createStepClock(), seed: "big-cluster" });
  for (const revision of REVISIONS) model.addIstiod(revision);
  const namespaces = nameNamespaces(Math.ceil(workloads / NAMES.length));
  for (let at = 0; at < workloads; at++) {
    const ns = namespaces[Math.floor(at / NAMES.length)] ?? "default";
    const name = NAMES[at % NAMES.length] ?? "app";
    const revision = REVISIONS[at % REVISIONS.length] ?? "";
    model.addDeployment({
      ns,
      name,
      replicas: podsEach,
      image: `registry.example/${ns}/${name}:2026.11.${at % 30}-g${(at * 2_654_435_761).toString(16).slice(0, 7)}`,
      labels: {
        "istio.io/rev": revision,
        "app.kubernetes.io/name": name,
        "app.kubernetes.io/instance": `${ns}-${name}`,
        "app.kubernetes.io/version": `2026.11.${at % 30}`,
        team: ns.split("-")[0] ?? "",
      },
      annotations: {
        "prometheus.io/scrape": "true",
        "prometheus.io/port": "9102",
        "checksum/config": (at * 40_503).toString(16).padStart(64, "9c1f"),
      },
      objectLabels: { app: name, "app.kubernetes.io/managed-by": "Helm", "helm.sh/chart": `service-4.${at % 9}.0` },
    });
  }
  return model;
}
