import type { ModelEvent } from "./objects.ts";

/** A request, however it came: over HTTP or from a cluster in the same process. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType?: string | undefined;
  readonly body?: unknown;
  readonly user: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterSeconds?: number;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: ModelEvent["type"] | "BOOKMARK" | "ERROR";
  readonly object: object;
}

/** An object as the API server sends it, as far as the model knows it. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** An Event of events.k8s.io/v1, as it was created. */
export interface KubeEvent {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly eventTime: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
}
