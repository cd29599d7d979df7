import type { ArgoFacts } from "./argo-facts.ts";
import type { VmCounts } from "./vm-facts.ts";

/** Kinds whose template we change. A Rollout is Argo's. Of a WorkloadGroup the "pods" are its VMs, the template an annotation. */
export type Kind = "Deployment" | "StatefulSet" | "DaemonSet" | "Rollout" | "WorkloadGroup";

/** Which workload: unique within a cluster while `uid` (held next to it) is the same. */
export interface WorkloadRef {
  readonly namespace: string;
  readonly kind: Kind;
  readonly name: string;
}

/** Live pods of one workload (not terminating, not finished) that run the same injected revision, with the same image. */
export interface PodGroup {
  /** What the injector wrote on the pod; absent when the pod has no sidecar. */
  readonly revision?: string;
  /** Of their sidecars, where it is another one than most pods of the revision have in this cluster (`RevisionFacts.proxyImage`). */
  readonly image?: string;
  readonly count: number;
  /** How many of them are Ready. */
  readonly ready: number;
  /** When the oldest of them was made, as `times` are reported, and only where those are. */
  readonly oldest?: number;
}

/** What meshroll keeps of one workload: facts as the API server reports them, never judgements. */
export interface Workload extends WorkloadRef {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  readonly observedGeneration: number;
  /** Asked for: spec.replicas; of a DaemonSet desiredNumberScheduled. */
  readonly replicas: number;
  /** status.replicas: pods of the old template included. */
  readonly total: number;
  /** Pods of the newest template. */
  readonly updated: number;
  readonly available: number;
  /** A condition Progressing=False with reason ProgressDeadlineExceeded. */
  readonly deadlineExceeded: boolean;
  /**
   * The newest template's rollout was complete once: a Deployment's condition Progressing says NewReplicaSetAvailable, a
   * StatefulSet's currentRevision is its updateRevision, a Rollout's stable ReplicaSet is its newest. Absent where it was not, or
   * where the kind does not report (DaemonSet). It stays true when pods are lost later.
   */
  readonly rolledOut?: true;
  /** spec.paused: the owner stopped its rollouts. */
  readonly paused: boolean;
  /**
   * Ordinal of the first pod of a StatefulSet whose pods are replaced one after the other (OrderedReady): one that is not
   * Ready blocks all the others, an undo included. Absent for everything else.
   */
  readonly orderedFrom?: number;
  /**
   * rollingUpdate.partition of a StatefulSet: pods of a lower ordinal keep the old template, by their owner's will. Absent where
   * it holds none back.
   */
  readonly partition?: number;
  /** Of an Argo Rollout. */
  readonly argo?: ArgoFacts;
  /** A live pod that its selector matches belongs to an Argo Rollout: that one runs its template (`workloadRef`). */
  readonly managedByRollout?: true;
  /** updateStrategy OnDelete: a changed template restarts nothing. */
  readonly onDelete: boolean;
  /** `istio.io/rev` in spec.selector.matchLabels: a changed label would never match (istio#33237). */
  readonly selectsRevision: boolean;
  readonly template: PodTemplate;
  /** The object's own annotations under meshroll.dev/ and sailoperator.io/. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly marksBy?: MarkManagers;
  /** metadata.managedFields: who last wrote the template's `istio.io/rev`, and how. */
  readonly revisionManager?: FieldManager;
  /**
   * The revision that the admission policy gives new pods of the present template, before Istio's webhooks read their labels. Absent =
   * none, or not known: the labels alone count.
   */
  readonly admitted?: string;
  readonly pods: readonly PodGroup[];
  /** The least `status.disruptionsAllowed` of the PodDisruptionBudgets that select its pods; absent without one. */
  readonly disruptionsAllowed?: number;
  /**
   * How many of its pods a rollout takes away at once before others are ready in their places, by its own strategy. Absent without a
   * budget, and where its strategy is not understood.
   */
  readonly rolloutUnavailable?: number;
  /**
   * What its API server wrote down of when. Absent where nothing of ours stands on it, it does not roll, lacks no pod and is not
   * paused.
   */
  readonly times?: WorkloadTimes;
  /** Since when one of its budgets allows nothing, as `times` are reported; absent while they allow something, or where unknown. */
  readonly noDisruptionSince?: number;
  /** Its last move was refused, and nothing was written since; absent: none was, as far as this executor knows. */
  readonly refused?: WriteRefusal;
  /** Of a WorkloadGroup whose VMs are known. */
  readonly vms?: VmCounts;
}

/** What an API server said when it refused a move of one object: it is on no object, and known while its executor lives. */
export interface WriteRefusal {
  /** Which move, as its annotation would have said it: `meshroll.dev/run`. */
  readonly run: string;
  /** Its own words. */
  readonly why: string;
  /** When, ISO 8601 by the API server's clock. */
  readonly at: string;
}

/**
 * Moments of one workload by the clock of its own API server, epoch ms of whole seconds. They are compared with each other and
 * with `serverAt` of the same cluster, never with the clock of a process of ours. Absent = not known.
 */
export interface WorkloadTimes {
  /** Our last write to it. */
  readonly written?: number;
  /** Another manager's last write, of those that own a part of the pod template. */
  readonly deployed?: number;
  /** Its controller's last change of the status. */
  readonly status?: number;
  /** The rollout of the newest template was complete for the first time (Deployment only). */
  readonly rolledOut?: number;
  /** Its owner paused it (Deployment only). */
  readonly paused?: number;
}

/** What decides whether new pods of a workload are labelled when they are admitted, besides its inventory. Absent = not known. */
export interface TemplateFacts {
  /** `pod-template-hash` or `controller-revision-hash` that all its live pods have. */
  readonly hash?: string;
  /** Another manager's last write of those that own a part of the pod template, epoch ms by the API server's clock. */
  readonly deployedAt?: number;
}

/**
 * metadata.managedFields: which of `run`, `arrived` and `failed` another manager than ours wrote last, and its name. Absent = none, or
 * its API server does not tell.
 */
export type MarkManagers = Readonly<Record<string, string>>;

export interface FieldManager {
  readonly name: string;
  readonly operation: "Apply" | "Update";
}

export interface PodTemplate {
  /** Only the labels that injection reads: istio.io/*, sidecar.istio.io/*, gateway.istio.io/*. */
  readonly labels: Readonly<Record<string, string>>;
  /** Only the annotations under istio.io, sidecar.istio.io, inject.istio.io and meshroll.dev. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly hostNetwork: boolean;
  /** Image of a container `istio-proxy` that its owner wrote: the injector takes it over. Absent = there is none, or it says `auto`. */
  readonly proxyImage?: string;
  /** Of a WorkloadGroup: no injector makes its proxies, so no label of its namespace decides. */
  readonly isVms?: true;
}

export interface Namespace {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** All of them: `meshroll.yml` may select by any. */
  readonly labels: Readonly<Record<string, string>>;
  /** Only meshroll.dev/ and sailoperator.io/. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly marksBy?: MarkManagers;
  readonly terminating: boolean;
  /** Who last wrote `istio.io/rev` or `istio-injection`. */
  readonly revisionManager?: FieldManager;
  /** As of a workload. */
  readonly refused?: WriteRefusal;
}

/**
 * Injected pods of one owner that count for no workload: who made them is of another kind, or gone, or they have ended. Pods that are
 * terminating are not among them.
 */
export interface OtherPods {
  /** Of the owner, as `batch/v1`; `v1` of a pod that has none. */
  readonly apiVersion: string;
  /** `Job`, `Rollout`, …; `Pod` of a pod that has no owner. */
  readonly kind: string;
  /** Absent = all owners of this kind that are not listed by name: a namespace may have thousands of Jobs. */
  readonly name?: string;
  /** What the injector wrote on them. */
  readonly revision: string;
  readonly live: number;
  /** Ended with success: nothing of theirs runs, and they go with their owner. */
  readonly completed: number;
  /** Ended without. */
  readonly failed: number;
}

/** One value of the KV bucket `inventory`, key `<cluster>.<namespace>`. */
export interface NamespaceInventory {
  readonly namespace: Namespace;
  /** Sorted by kind, then name. */
  readonly workloads: readonly Workload[];
  /** Injected pods that count for none of `workloads`, those with live ones first; absent = there are none. */
  readonly others?: readonly OtherPods[];
  /** The greatest resourceVersion seen by this cluster's watches when the value was made; an older value never replaces a newer one. */
  readonly readAt: string;
}

/** What a cluster's control plane offers: read from webhook configurations and istiod Deployments. */
export interface RevisionFacts {
  readonly name: string;
  /** A MutatingWebhookConfiguration labelled `istio.io/rev: <name>` exists. */
  readonly webhook: boolean;
  readonly istiod: "ready" | "unready" | "missing";
  /** Host to which its webhook sends new pods, where that is no Service of this cluster: its control plane runs elsewhere. */
  readonly injectorHost?: string;
  /** What its istiod reports, e.g. `1.25.2`; absent = it was not asked or did not answer: unknown. */
  readonly version?: string;
  /** Image that most of its sidecars have here; absent = no pod of it is there that shows one. */
  readonly proxyImage?: string;
  /** Proxies connected to it, and how many of them acknowledged all that it sent; absent = unknown. */
  readonly proxies?: {
    readonly connected: number;
    readonly synced: number;
    /** How many of them refused what it sent (NACK); absent = none. */
    readonly refused?: number;
    /** Some of these: at most 20, of as many namespaces as possible. */
    readonly refusals?: readonly ProxyRefusal[];
    /** The same numbers by the proxies' namespaces; absent where there are too many. */
    readonly byNamespace?: Readonly<Record<string, readonly [connected: number, synced: number, refused?: number]>>;
  };
}

/** A proxy that does not take the configuration that its istiod sends: it goes on with what it had. */
export interface ProxyRefusal {
  /** `<pod>.<namespace>` */
  readonly proxy: string;
  /** `Listener`, `Cluster`, ... */
  readonly type: string;
  /** In the words that istiod got from the proxy; one line. */
  readonly why: string;
}

/** Where the control planes that serve a cluster run; what is absent is as Istio's chart has it, in the cluster itself. */
export interface ControlPlanePlace {
  /** Another cluster of the fleet, by its name in MESHROLL_CLUSTERS. */
  readonly cluster?: string;
  /** Of the istiod Deployments; absent = that of the webhook's Service, `istio-system` where it names none. */
  readonly namespace?: string;
  /** `key=value` of the istiod Deployments and their pods; absent = `app=istiod`. */
  readonly label?: string;
}

/**
 * What came back when a pod with the label of a revision, or of a tag, was created as a dry run: the sidecar of that revision
 * (`proven`), or not (`refused`); `unknown`: it could not be tried, or not lately. `why` is a sentence without a full stop.
 */
export type InjectionProof =
  /** `image`: of that sidecar. */
  | { readonly state: "proven"; readonly image?: string }
  | { readonly state: "refused"; readonly why: string }
  /** `mayNotTry`: the executor lacks the right; `image`: of the sidecar that came back last. */
  | { readonly state: "unknown"; readonly why: string; readonly mayNotTry?: true; readonly image?: string };

/** The value of `inventory` key `<cluster>._`: the cluster itself. */
export interface ClusterFacts {
  readonly cluster: string;
  /** When the API server last spoke, epoch ms of the executor's wall clock: for people; freshness is judged by change. */
  readonly seenAt: number;
  /** The API server's own clock when these facts were made, epoch ms; absent = it never said. What its `times` are compared with. */
  readonly serverAt?: number;
  /** How many namespace keys belong to this cluster: fewer seen = not fresh. */
  readonly count: number;
  /** Namespaces that cannot be published, each named among `problems`; absent = none. What is in them is not known. */
  readonly unpublished?: number;
  /** UID of the namespace kube-system: another UID under the same name is another cluster. */
  readonly uid: string;
  readonly mode: "observe" | "act";
  readonly revisions: readonly RevisionFacts[];
  /** By revision and tag. Absent = this executor tries no dry runs: it only observes. */
  readonly injection?: Readonly<Record<string, InjectionProof>>;
  /** Where main says that its control planes run; absent = in the cluster itself. */
  readonly controlPlane?: ControlPlanePlace;
  /** Absent = they are. False: we may not read PodDisruptionBudgets, so no workload without one is known to have none. */
  readonly budgetsKnown?: false;
  /** Its executor has not read the admission maps since it began: what they label may look as if its owner had put it back. */
  readonly mapsUnread?: true;
  /** Revision tags: name -> revision. */
  readonly tags: Readonly<Record<string, string>>;
  readonly stops: ClusterStops;
  /** Which installation the ConfigMap `meshroll-installation` says serves it; "" = it names none. Absent = there is no such map. */
  readonly installation?: string;
  /** Problems of the executor with this cluster, named for people (a namespace over the size limit, a forbidden verb). */
  readonly problems: readonly string[];
}

/** ConfigMaps in `meshroll-system`. */
export interface ClusterStops {
  /** `meshroll-stop` exists: people's, only kubectl removes it. */
  readonly kubectl: boolean;
  /** `meshroll-recorded-stops`: one entry per record id, written by the executor or the CLI; value is the record's JSON. */
  readonly recorded: Readonly<Record<string, string>>;
}
