import { us, type Wordings } from "./wording.ts";

const executors = "the operator of the executors";
const rbacOwner = "the cluster's RBAC administrator";
const meshOperator = "the mesh operator";

function nameExecutor(cluster: string): string {
  return `the executor of ${cluster}`;
}

/** `seconds` since a cluster was seen; absent = never by this planner. */
function printSeen(seconds: number | undefined): string {
  return seconds === undefined ? "was never seen by this planner" : "is not seen";
}

/** What an unreachable cluster delays. */
type Hindered =
  | { readonly kind: "moves" }
  | { readonly kind: "run"; readonly run: string }
  /** A campaign's stages. */
  | { readonly kind: "stages"; readonly campaign: string }
  /** The API server does not answer its own executor. */
  | { readonly kind: "patch" };

function hinder(cluster: string, hinders: Hindered, seconds: number | undefined) {
  const seen = printSeen(seconds);
  const without = `to continue without it merge clusters.${cluster}.excluded: true into meshroll.yml`;
  const own = { owner: nameExecutor(cluster), ...(seconds === undefined ? {} : { ageSeconds: seconds }) };
  const command = "meshroll status";
  switch (hinders.kind) {
    case "moves":
      return { message: `${cluster} ${seen}: facts older than 60 s do not count`, ...own, command };
    case "run":
      return {
        message: `${cluster} ${seen}: run ${hinders.run} cannot finish before its workloads are known; ${without}`,
        ...own,
      };
    case "stages":
      return {
        message: `no stage of ${hinders.campaign} is proposed while ${cluster} ${seen}; ${without}`,
        ...own,
        command,
      };
    case "patch":
      return { message: `the API server of ${cluster} does not answer`, owner: `the owners of ${cluster}` };
  }
}

type Plane =
  | { readonly kind: "here" | "unknown" }
  /** In another cluster of the fleet. */
  | { readonly kind: "elsewhere"; readonly cluster: string };

function listWebhooks(cluster: string): string {
  return `kubectl get mutatingwebhookconfigurations -l istio.io/rev # in cluster ${cluster}`;
}

/**
 * A second control plane next to an external one would take workloads out of their mesh, so installing one is advised only
 * where one runs in the cluster already.
 */
function adviseInstall({
  cluster,
  revision,
  plane = { kind: "unknown" },
}: {
  readonly cluster: string;
  readonly revision: string;
  readonly plane?: Plane;
}): { readonly owner: string; readonly command: string } {
  switch (plane.kind) {
    case "here":
      return { owner: meshOperator, command: `istioctl install --revision ${revision} # in cluster ${cluster}` };
    case "elsewhere":
      return { owner: `the mesh operator of ${plane.cluster}`, command: listWebhooks(cluster) };
    case "unknown":
      return { owner: meshOperator, command: listWebhooks(cluster) };
  }
}

/** Why a cluster gets no work, or lacks a revision. */
export const clusterReasons = {
  ClusterUnreachable: (reason: {
    readonly cluster: string;
    readonly seconds?: number | undefined;
    readonly hinders: Hindered;
  }) => hinder(reason.cluster, reason.hinders, reason.seconds),
  NoClusterSeen: ({ campaign }: { readonly campaign: string }) => ({
    message: `no stage of ${campaign} is proposed before a cluster was seen`,
    owner: executors,
    command: "meshroll status",
  }),
  NoCluster: ({ run }: { readonly run: string }) => ({
    message: `run ${run} waits for a cluster: none was seen yet, or meshroll.yml excludes each of them`,
    owner: executors,
    command: "meshroll doctor",
  }),
  /** `installation` is absent where the cluster does not name one. */
  ClusterOfOther: ({ cluster, installation }: { readonly cluster: string; readonly installation?: string }) => ({
    message:
      `${cluster} is served for ${installation === undefined ? "another installation" : `installation ${installation}`}: ` +
      "its ConfigMap meshroll-installation says so",
    owner: executors,
    command: "kubectl -n meshroll-system delete configmap meshroll-installation # hands it over",
  }),
  ClusterUnclaimed: ({ cluster }: { readonly cluster: string }) => ({
    message: `${cluster} does not say yet which installation serves it`,
    owner: us,
  }),
  OtherCluster: ({ cluster }: { readonly cluster: string }) => ({
    message: `${cluster} answers as another cluster than the job was made for`,
    owner: "the owner of the kubeconfig",
  }),
  ObserveOnly: ({ cluster }: { readonly cluster: string }) => ({
    message: `${cluster} is only observed: its executor runs without --act`,
    owner: executors,
    command: "start the executor with --act",
  }),
  BudgetsUnknown: ({ cluster }: { readonly cluster: string }) => ({
    message: `the executor may not read the PodDisruptionBudgets of ${cluster}`,
    owner: rbacOwner,
    command: "kubectl auth can-i watch poddisruptionbudgets.policy -A # as the executor",
  }),
  /** `plane`: where the cluster's control planes run; absent or `unknown`: none runs in it, and main names no other place. */
  RevisionMissing: (reason: { readonly cluster: string; readonly revision: string; readonly plane?: Plane }) => ({
    message: `revision ${reason.revision} has no injector webhook in ${reason.cluster}`,
    ...adviseInstall(reason),
  }),
  /** `namespace` and `label`: its place in main's settings. */
  IstiodNotReady: (reason: {
    readonly cluster: string;
    readonly revision: string;
    readonly istiod: string;
    readonly namespace?: string;
    readonly label?: string;
  }) => {
    const { cluster, revision, namespace = "istio-system", label = "app=istiod" } = reason;
    const elsewhere =
      reason.istiod === "missing"
        ? `; where it runs elsewhere, clusters.${cluster}.controlPlane has to be set in meshroll.yml`
        : "";
    const kind = reason.istiod === "missing" ? "deployments" : "pods";
    return {
      message: `istiod of revision ${revision} is ${reason.istiod} in ${cluster}${elsewhere}`,
      owner: meshOperator,
      command: `kubectl -n ${namespace} get ${kind} -l ${label},istio.io/rev=${revision} # in cluster ${cluster}`,
    };
  },
  /** A dry run showed the wrong sidecar, or none. */
  InjectionRefused: (reason: { readonly cluster: string; readonly revision: string; readonly why: string }) => ({
    message: `new pods of ${reason.cluster} do not get the sidecar of ${reason.revision}: ${reason.why}`,
    owner: meshOperator,
    command: listWebhooks(reason.cluster),
  }),
  /** No dry run had a result, or none was made. `mayNotTry`: the executor lacks the right. */
  InjectionUnproven: (reason: {
    readonly cluster: string;
    readonly revision: string;
    readonly why?: string;
    readonly mayNotTry?: true;
  }) => {
    const { cluster, revision, why } = reason;
    const said = why === undefined ? "" : `: ${why}`;
    const right = { owner: rbacOwner, command: "kubectl auth can-i create pods -n meshroll-system # as the executor" };
    return {
      message: `no dry run has shown yet that new pods of ${cluster} get the sidecar of ${revision}${said}`,
      ...(reason.mayNotTry === true ? right : { owner: meshOperator, command: listWebhooks(cluster) }),
    };
  },
  /** Its injector has another version than its istiod: a proxy of its own is more than one minor away. */
  InjectionSkewed: (reason: {
    readonly cluster: string;
    readonly revision: string;
    readonly proxy: string;
    readonly istiod: string;
  }) => {
    const { cluster, revision, proxy, istiod } = reason;
    const map = `istio-sidecar-injector${revision === "default" ? "" : `-${revision}`}`;
    return {
      message:
        `revision ${revision} injects proxy ${proxy} in ${cluster}, more than one minor from its istiod ${istiod}: ` +
        "the chart's global.tag, or global.proxy.image, names another version",
      owner: meshOperator,
      command: `kubectl get configmaps -A --field-selector metadata.name=${map} -o yaml # in cluster ${cluster}`,
    };
  },
  MaxVersionUnreadable: ({ file, maxVersion }: { readonly file: string; readonly maxVersion: string }) => ({
    message: `maxVersion ${JSON.stringify(maxVersion)} of ${file} is not a version: three numbers, such as 1.25.999`,
    owner: "the campaign's owner",
    command: `meshroll validate ${file}`,
  }),
  /** `reported`: the istiod's answer, where that is no version. */
  VersionUnknown: (reason: {
    readonly cluster: string;
    readonly revision: string;
    readonly maxVersion: string;
    readonly reported?: string;
  }) => {
    const { cluster, revision, reported } = reason;
    const why =
      reported === undefined
        ? "its istiod did not report one, and its name is not one either"
        : `its istiod reports ${JSON.stringify(reported.slice(0, 64))}, which is not a version`;
    const service = revision === "default" ? "istiod" : `istiod-${revision}`;
    return {
      message:
        `the version of revision ${revision} in ${cluster} is not known (${why}), ` +
        `and the campaign goes no further than ${reason.maxVersion}`,
      owner: "the mesh operator",
      command: `kubectl get --raw /api/v1/namespaces/istio-system/services/${service}:15014/proxy/version`,
    };
  },
  VersionAboveMax: (reason: {
    readonly cluster: string;
    readonly revision: string;
    readonly version: string;
    readonly by: "istiod" | "name";
    readonly maxVersion: string;
    readonly file: string;
  }) => {
    const by = reason.by === "istiod" ? "its istiod reports so" : "its istiod did not say, its name means so";
    return {
      message:
        `revision ${reason.revision} in ${reason.cluster} is ${reason.version} (${by}), ` +
        `above the campaign's maxVersion ${reason.maxVersion}`,
      owner: "the campaign's owner",
      command: `a pull request that raises maxVersion in ${reason.file}`,
    };
  },
} satisfies Wordings;
