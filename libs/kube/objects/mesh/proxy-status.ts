/** What istiod knows of one kind of configuration of one proxy. */
export interface ResourceStatus {
  /** Type URL. */
  readonly type: string;
  /** `stale`: sent and not acknowledged yet; `error`: the proxy refused it. */
  readonly state: "unknown" | "synced" | "notSent" | "stale" | "error";
  /** Why the proxy refused it, in its own words. */
  readonly error?: string;
}

/** A proxy that is connected to an istiod. */
export interface ProxyStatus {
  /** `<pod>.<namespace>` */
  readonly proxy: string;
  readonly resources: readonly ResourceStatus[];
}

/** What one istiod says of itself and of its proxies. */
export interface IstiodStatus {
  readonly version?: string;
  readonly proxies: readonly ProxyStatus[];
}

/** The version that an executor says to an istiod, which counts it as a proxy in `pilot_xds` while it answers. */
export const ASKER_VERSION = "meshroll";
