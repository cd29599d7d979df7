import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A Go module of ours that requires a release, and the programs that are compiled from it. */
export interface GoModule {
  readonly name: "kube" | "istio" | "argo";
  readonly folder: string;
  /** Our files that determine the result. */
  readonly sources: readonly string[];
  readonly packages: readonly string[];
  /** Variables set by the linker, as in the project's releases. */
  readonly stamps: Readonly<Record<string, string>>;
  /** Files of required modules that are needed next to the programs, by their names there. */
  readonly copies?: Readonly<Record<string, { readonly module: string; readonly path: string }>>;
  /** The file of each program and copy, by its name. */
  readonly programs: Readonly<Record<string, string>>;
  /** Minutes on two idle cores without a cache, and MB of disk while compiling. */
  readonly cold: { readonly minutes: number; readonly megabytes: number };
}

const versions = { kubernetes: "1.36.3", istio: "1.31.0", argo: "1.9.0" };

function locate(name: string): string {
  return fileURLToPath(new URL(`../modules/${name}`, import.meta.url));
}

function stampKubernetes(): Readonly<Record<string, string>> {
  const [gitMajor = "", gitMinor = ""] = versions.kubernetes.split(".");
  const base = "k8s.io/component-base/version";
  return {
    [`${base}.gitVersion`]: `v${versions.kubernetes}`,
    [`${base}.gitMajor`]: gitMajor,
    [`${base}.gitMinor`]: gitMinor,
  };
}

function stampIstio(): Readonly<Record<string, string>> {
  const base = "istio.io/istio/pkg/version";
  return {
    [`${base}.buildVersion`]: versions.istio,
    [`${base}.buildHub`]: "docker.io/istio",
    [`${base}.buildTag`]: versions.istio,
  };
}

const controlPlane = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"];

/** etcd, the control plane, kubectl and KWOK. */
export const kubeModule: GoModule = {
  name: "kube",
  folder: locate("kube"),
  sources: ["go.mod", "go.sum", "main.go"],
  packages: [".", "sigs.k8s.io/kwok/cmd/kwok"],
  stamps: stampKubernetes(),
  programs: { ...Object.fromEntries(controlPlane.map((name) => [name, "kube"])), kwok: "kwok" },
  cold: { minutes: 6, megabytes: 7_000 },
};

/** istiod, istioctl and what a VM needs of one release. */
export const istioModule: GoModule = {
  name: "istio",
  folder: locate("istio"),
  sources: ["go.mod", "go.sum"],
  packages: [
    "istio.io/istio/pilot/cmd/pilot-discovery",
    "istio.io/istio/pilot/cmd/pilot-agent",
    "istio.io/istio/istioctl/cmd/istioctl",
  ],
  stamps: stampIstio(),
  copies: {
    "envoy_bootstrap.json": { module: "istio.io/istio", path: "tools/packaging/common/envoy_bootstrap.json" },
  },
  programs: Object.fromEntries(
    ["pilot-discovery", "pilot-agent", "istioctl", "envoy_bootstrap.json"].map((name) => [name, name]),
  ),
  cold: { minutes: 5, megabytes: 6_000 },
};

/** The definitions of a Rollout and of what its steps may run. */
export const argoDefinitions = [
  "rollout-crd.yaml",
  "experiment-crd.yaml",
  "analysis-run-crd.yaml",
  "analysis-template-crd.yaml",
  "cluster-analysis-template-crd.yaml",
] as const;

const argo = "github.com/argoproj/argo-rollouts";

/** The controller of Argo Rollouts. */
export const argoModule: GoModule = {
  name: "argo",
  folder: locate("argo"),
  sources: ["go.mod", "go.sum"],
  packages: [`${argo}/cmd/rollouts-controller`],
  stamps: { [`${argo}/utils/version.version`]: versions.argo },
  copies: Object.fromEntries(argoDefinitions.map((name) => [name, { module: argo, path: `manifests/crds/${name}` }])),
  programs: Object.fromEntries(["rollouts-controller", ...argoDefinitions].map((name) => [name, name])),
  cold: { minutes: 6, megabytes: 5_000 },
};

/** A folder outside the checkout, as all clones share its twelve gigabytes. */
export function locateCache(env: Readonly<Record<string, string | undefined>>): string {
  const { MESHROLL_CLUSTER_CACHE: own, XDG_CACHE_HOME: shared } = env;
  if (own !== undefined && own !== "") return own;
  const base = shared !== undefined && shared !== "" ? shared : join(homedir(), ".cache");
  return join(base, "meshroll", "cluster");
}

/** A hash of the sources, which names the folder of what is compiled from them. */
export function keyModule({
  folder,
  sources,
  stamps,
  packages,
  copies,
}: Pick<GoModule, "folder" | "sources" | "stamps" | "packages" | "copies">): string {
  const hash = createHash("sha256").update(JSON.stringify({ stamps, packages, copies }));
  for (const name of sources) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}
