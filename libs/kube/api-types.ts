import type { Kind } from "#libs/fleet";

/** Kinds whose pods Kubernetes makes from a template. */
export type PodKind = Exclude<Kind, "WorkloadGroup">;

/** Objects as the API server sends them: only what is read, and every field may be missing. */
export interface ApiMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: ApiMap;
  readonly annotations?: ApiMap;
  readonly ownerReferences?: readonly ApiOwner[];
  readonly managedFields?: readonly ApiManager[];
}

export type ApiMap = Readonly<Record<string, string>>;

export interface ApiOwner {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

export interface ApiManager {
  readonly manager?: string;
  readonly operation?: string;
  /** `status`, `scale`; absent = the object itself. */
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsV1?: FieldTree;
}

export interface FieldTree {
  readonly [key: string]: FieldTree | undefined;
}

export interface ApiCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

export interface ApiSelector {
  readonly matchLabels?: ApiMap;
  readonly matchExpressions?: readonly ApiExpression[];
}

export interface ApiExpression {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface ApiContainer {
  readonly name?: string;
  readonly image?: string;
}

/** Of a pod, or of a pod template. */
export interface ApiPodSpec {
  readonly hostNetwork?: boolean;
  readonly containers?: readonly ApiContainer[];
  readonly initContainers?: readonly ApiContainer[];
}

/** `maxSurge` and `maxUnavailable`: a count, or a percentage such as `25%`. */
export type ApiAmount = number | string;

interface ApiAmounts {
  readonly maxSurge?: ApiAmount;
  readonly maxUnavailable?: ApiAmount;
}

/** A step of a canary, as far as it is read; other steps change weights and scales. */
interface ArgoStep {
  readonly pause?: { readonly duration?: number | string };
  readonly analysis?: object;
  readonly experiment?: object;
  readonly plugin?: object;
}

/** Of an Argo Rollout. */
export interface ArgoCanary extends ApiAmounts {
  readonly steps?: readonly ArgoStep[];
  readonly trafficRouting?: object;
}

interface ArgoBlueGreen {
  readonly autoPromotionEnabled?: boolean;
}

interface ArgoRun {
  readonly status?: string;
}

/** What the status of an Argo Rollout has besides. */
interface ArgoStatus {
  readonly abort?: boolean;
  readonly message?: string;
  readonly stableRS?: string;
  readonly currentPodHash?: string;
  readonly currentStepIndex?: number;
  readonly pauseConditions?: readonly { readonly reason?: string }[];
  readonly blueGreen?: {
    readonly prePromotionAnalysisRunStatus?: ArgoRun;
    readonly postPromotionAnalysisRunStatus?: ArgoRun;
  };
}

/** The union of what the watched kinds have; each projection reads its own part. */
export interface ApiObject {
  readonly metadata?: ApiMetadata;
  readonly spec?: ApiPodSpec & {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly selector?: ApiSelector;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: ApiAmounts;
      readonly canary?: ArgoCanary;
      readonly blueGreen?: ArgoBlueGreen;
    };
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: ApiAmounts & { readonly partition?: number };
    };
    readonly podManagementPolicy?: string;
    readonly ordinals?: { readonly start?: number };
    readonly template?: {
      readonly metadata?: ApiMetadata;
      readonly spec?: ApiPodSpec;
    };
    readonly workloadRef?: { readonly kind?: string; readonly name?: string };
  };
  readonly status?: ArgoStatus & {
    readonly phase?: string;
    readonly conditions?: readonly ApiCondition[];
    /** A text of an Argo Rollout. */
    readonly observedGeneration?: number | string;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentNumberScheduled?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly disruptionsAllowed?: number;
  };
  readonly webhooks?: readonly {
    readonly namespaceSelector?: ApiSelector;
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: { readonly name?: string; readonly namespace?: string };
      /** PEM in base64. */
      readonly caBundle?: string;
    };
  }[];
  readonly data?: ApiMap;
}
