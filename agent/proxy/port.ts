/** A proxy that this agent started, and that runs. */
export interface ProxyProcess {
  readonly pid: number;
  /** Of its slot. */
  readonly digest: string;
  /** Envoy's restart epoch: each one takes over from the one before. */
  readonly epoch: number;
}

/** How a slot's proxy is started. */
export interface Launch {
  readonly digest: string;
  /** The slot. */
  readonly folder: string;
  /** The file in it. */
  readonly start: string;
  readonly revision: string;
  readonly discoveryAddress: string;
  /** 0 = nothing is taken over. */
  readonly epoch: number;
}

/** The proxies of this VM. */
export interface Proxies {
  /** Those that run, oldest first; also what an agent started that has ended since. */
  list(): Promise<readonly ProxyProcess[]>;
  /** Starts one; it outlives this agent. Throws when it cannot be started at all. */
  launch(launch: Launch): Promise<void>;
  /** Asks it to end, and ends it after its time to drain. Done when it has ended. */
  stop(proxy: ProxyProcess): Promise<void>;
  /** Whether the VM's proxy says that it is ready. */
  isReady(): Promise<boolean>;
}
