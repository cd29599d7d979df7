import type { VirtualClock } from "#fakes/runtime";
import type { KubeModel } from "#fakes/kube";
import type { KeyValue } from "#libs/bus";
import { nameVmKey, printVmReport, readVmTag } from "#libs/events";
import type { VmReport } from "#libs/fleet";

interface PlayedVm {
  readonly name: string;
  readonly address: string;
  readonly namespace: string;
  readonly group: string;
  tag: string | null;
  revision: string | null;
  /** Since when it is switched, and to what. */
  switching: { readonly to: string; readonly since: number } | undefined;
  code: string;
  isUp: boolean;
}

export interface VmsOptions {
  readonly bucket: () => KeyValue;
  readonly model: KubeModel;
  readonly clock: VirtualClock;
  readonly cluster?: string;
  /** From a new tag until the VM is ready on it, ms. */
  readonly upgradeMs?: number;
  /** So often an agent reports, ms. */
  readonly pollMs?: number;
}

/** VMs with their agents, as an executor sees them: they read their tags from the bus, switch, and report. */
export class FlowVms {
  readonly #options: VmsOptions;
  readonly #vms: PlayedVm[] = [];
  readonly #stop = new AbortController();
  /** The most VMs of one group that were unavailable at one moment, as a client of theirs would have found them. */
  mostDown = 0;
  readonly #tried = new Set<string>();
  /** VMs by name that give this revision up. */
  readonly givesUp = new Map<string, string>();

  constructor(options: VmsOptions) {
    this.#options = options;
  }

  /** Adds a group whose VMs run a revision, registered with their WorkloadEntries; `isWritten`: its object asks for it. */
  async addGroup(namespace: string, group: string, count: number, revision = "old", isWritten = true): Promise<this> {
    const { model } = this.#options;
    const annotations = isWritten ? { "meshroll.dev/revision": revision } : {};
    model.addWorkloadGroup({ ns: namespace, name: group, annotations });
    for (let at = 0; at < count; at += 1) await this.addVm(namespace, group, revision);
    return this;
  }

  async addVm(namespace: string, group: string, revision: string | null): Promise<string> {
    const at = this.#vms.length + 1;
    const [name, address] = [`vm-${at}`, `10.0.${Math.floor(at / 250)}.${at % 250}`];
    this.#options.model.addWorkloadEntry({ ns: namespace, name: `${group}-${address}`, address, group, healthy: true });
    const vm: PlayedVm = {
      name,
      address,
      namespace,
      group,
      tag: revision,
      revision,
      switching: undefined,
      code: "UpToDate",
      isUp: true,
    };
    this.#vms.push(vm);
    if (revision !== null) {
      const key = nameVmKey("tags", this.#ref(vm));
      await this.#options.bucket().put(key, JSON.stringify({ version: 1, revision, at: this.#options.clock.now() }));
    }
    await this.#report(vm);
    return name;
  }

  #ref({ namespace, group, name }: PlayedVm) {
    return { group: { cluster: this.#options.cluster ?? "one", namespace, name: group }, name };
  }

  /** Plays the agents until `stop`. */
  start(): this {
    void this.#play();
    return this;
  }

  stop(): void {
    this.#stop.abort();
  }

  async #play(): Promise<void> {
    const { clock, pollMs = 30_000 } = this.#options;
    const stepMs = 1000;
    for (let step = 0; !this.#stop.signal.aborted; step += 1) {
      for (const [at, vm] of this.#vms.entries()) {
        const isTurn = (step + at) % Math.max(1, Math.floor(pollMs / stepMs)) === 0;
        if (vm.isUp && (isTurn || vm.switching !== undefined)) await this.#turn(vm).catch(() => undefined);
      }
      this.#measure();
      await clock.sleepReal(stepMs, this.#stop.signal).catch(() => undefined);
    }
  }

  #measure(): void {
    const groups = Map.groupBy(this.#vms, ({ namespace, group }) => `${namespace}/${group}`);
    for (const own of groups.values()) {
      const down = own.filter(({ switching, isUp }) => switching !== undefined || !isUp).length;
      this.mostDown = Math.max(this.mostDown, down);
    }
  }

  async #readTag(vm: PlayedVm): Promise<string | null> {
    const entry = await this.#options.bucket().get(nameVmKey("tags", this.#ref(vm)));
    return entry?.value === undefined ? null : (readVmTag(entry.value)?.revision ?? null);
  }

  /** Follows a tag to another revision; one that says what runs ends a switch. */
  #follow(vm: PlayedVm, tag: string): void {
    if (tag === vm.revision) {
      vm.switching = undefined;
      vm.code = "UpToDate";
      return;
    }
    // As the real agent, it does not try an artifact again that failed once.
    if (this.#tried.has(`${vm.name} ${tag}`)) vm.code = "Quarantined";
    if (vm.code === "Quarantined" && vm.switching?.to !== tag) vm.switching = undefined;
    if (this.#tried.has(`${vm.name} ${tag}`) || vm.switching?.to === tag) return;
    vm.switching = { to: tag, since: this.#options.clock.now() };
    vm.code = "Settling";
  }

  /** Reads its tag, goes on with a switch, reports. */
  async #turn(vm: PlayedVm): Promise<void> {
    const { clock, upgradeMs = 20_000 } = this.#options;
    vm.tag = await this.#readTag(vm);
    if (vm.tag !== null) this.#follow(vm, vm.tag);
    if (vm.switching !== undefined && clock.now() - vm.switching.since >= upgradeMs) this.#finish(vm, vm.switching.to);
    await this.#report(vm);
  }

  #finish(vm: PlayedVm, to: string): void {
    vm.switching = undefined;
    const isGivenUp = this.givesUp.get(vm.name) === to;
    if (isGivenUp) this.#tried.add(`${vm.name} ${to}`);
    vm.code = isGivenUp ? "Quarantined" : "UpToDate";
    if (!isGivenUp) vm.revision = to;
  }

  async #report(vm: PlayedVm): Promise<void> {
    const { bucket, clock } = this.#options;
    const report: VmReport = {
      at: new Date(clock.now()).toISOString(),
      agent: "0.1.0",
      address: vm.address,
      tag: vm.tag,
      revision: vm.revision,
      attempted: vm.switching?.to ?? vm.revision,
      inProgress: vm.switching !== undefined,
      ready: vm.revision !== null && vm.switching === undefined,
      code: vm.code,
      message: vm.code === "Quarantined" ? `${vm.tag} was tried and given up` : "as its tag says",
    };
    await bucket().put(nameVmKey("reports", this.#ref(vm)), printVmReport(report));
  }

  /** It is switched off: its agent says nothing more. */
  turnOff(name: string): void {
    this.#find(name).isUp = false;
  }

  turnOn(name: string): void {
    this.#find(name).isUp = true;
  }

  #find(name: string): PlayedVm {
    const vm = this.#vms.find((each) => each.name === name);
    if (vm === undefined) throw new Error(`no VM ${name}`);
    return vm;
  }

  /** How many VMs of a group run each revision. */
  running(group: string): Readonly<Record<string, number>> {
    const own = this.#vms.filter((each) => each.group === group);
    const counts = Map.groupBy(own, ({ revision }) => revision ?? "none");
    return Object.fromEntries(
      [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, all]) => [name, all.length]),
    );
  }

  /** By VM: its tag on the bus. */
  async tags(): Promise<Readonly<Record<string, string | undefined>>> {
    const all = this.#vms.map(async (vm) => {
      const entry = await this.#options.bucket().get(nameVmKey("tags", this.#ref(vm)));
      return [vm.name, entry?.value === undefined ? undefined : readVmTag(entry.value)?.revision] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  }
}
