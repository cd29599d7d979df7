/** A running proxy that this agent, or one before it, started. */
export interface ProxyProcess {
  readonly pid: number;
  /** Digest of its slot. */
  readonly digest: string;
  /** Envoy's restart epoch: each takes over from the previous one. */
  readonly epoch: number;
}

/** How a slot's proxy is started. */
export interface Launch {
  readonly digest: string;
  /** The slot. */
  readonly folder: string;
  /** The file in the slot that is started. */
  readonly start: string;
  readonly revision: string;
  readonly discoveryAddress: string;
  /** 0 = it takes nothing over. */
  readonly epoch: number;
}

/** The proxies of this VM. */
export interface Proxies {
  /** The running ones, oldest first, also those that an earlier agent started. */
  list(): Promise<readonly ProxyProcess[]>;
  /** Starts one, which outlives this agent. Throws when it cannot be started. */
  launch(launch: Launch): Promise<void>;
  /** Asks it to end, and ends it after its time to drain, or after `withinMs`. Resolves when it has ended. */
  stop(proxy: ProxyProcess, withinMs?: number): Promise<void>;
  /** Whether the VM's proxy reports that it is ready. */
  isReady(): Promise<boolean>;
}
