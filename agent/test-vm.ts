import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import {
  buildArtifact,
  findOffer,
  type Found,
  makeKey,
  openStore,
  type Recipe,
  readSigners,
  type Signers,
  signStore,
  type ArtifactStore,
} from "#libs/artifact";
import { onTestFinished } from "vitest";

import type { Disk } from "./disk/port.ts";
import { openDisk } from "./disk/real-disk.ts";
import type { Launch, Proxies, ProxyProcess } from "./proxy/port.ts";
import { askMs } from "./proxy/real-proxies.ts";
import { rulesMs } from "./proxy/rules.ts";
import type { Report } from "./report/report.ts";
import { makePlaces } from "./slots/places.ts";
import { createAgent } from "./turn/agent.ts";
import type { Parts } from "./turn/parts.ts";

export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store with its keys. */
export interface TestStore {
  readonly folder: string;
  readonly signers: Signers;
  readonly root: string;
  /** Builds and signs an artifact; returns its digest. `text` makes its files differ from others'. */
  publish(revision: string, text?: string, more?: Partial<Recipe>): string;
}

export const platform = `${process.platform}-${process.arch}`;

function writeProgram(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

export function makeStore(base: string, now = Date.now()): TestStore {
  const folder = join(base, "store");
  const keys = join(base, "keys");
  mkdirSync(keys, { recursive: true });
  for (const role of ["root", "targets", "snapshot", "timestamp"]) writeFileSync(join(keys, `${role}.pem`), makeKey());
  const signers = readSigners(keys);
  signStore(folder, { signers, now });
  return {
    folder,
    signers,
    root: readFileSync(join(folder, "metadata/1.root.json"), "utf8"),
    publish(revision, text = revision, more = {}) {
      const files = new Map([
        ["start", writeProgram(join(base, "in", revision, "start"), `#!/bin/sh\n# ${text}\nexec sleep 1000\n`)],
        ["rules", writeProgram(join(base, "in", revision, "rules"), `#!/bin/sh\n# ${text}\n`)],
        ["bootstrap.json", writeProgram(join(base, "in", revision, "bootstrap"), text.repeat(200))],
      ]);
      const recipe = {
        revision,
        platform,
        discoveryAddress: `istiod-${revision}:15012`,
        start: "start",
        rules: "rules",
      };
      const built = buildArtifact(folder, { ...recipe, files, ...more });
      if (built.kind === "refused") throw new Error(JSON.stringify(built.refusal));
      signStore(folder, { signers, now });
      return built.digest;
    },
  };
}

/** Proxies without processes: the test decides what starts, ends and is ready. */
export interface FakeProxies extends Proxies {
  readonly launched: Launch[];
  /** Digests whose proxies never become ready. */
  readonly unready: Set<string>;
  /** Digests whose proxies end as soon as they were started. */
  readonly dying: Set<string>;
  /** Digests whose proxies take nothing over, never answer, and do not end when they are asked to. */
  readonly hanging: Set<string>;
  /** Makes one run already. */
  adopt(digest: string): void;
  /** Ends all, as a power cut does. */
  endAll(): void;
}

function createFakeProxies(pass: (ms: number) => void): FakeProxies {
  let running: readonly ProxyProcess[] = [];
  let next = 1;
  const [unready, dying, hanging] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const launched: Launch[] = [];
  return {
    launched,
    unready,
    dying,
    hanging,
    adopt: (digest) => void (running = [{ pid: 1, digest, epoch: 0 }]),
    endAll: () => void (running = []),
    list: async () => running,
    async launch(launch) {
      launched.push(launch);
      next += 1;
      const others = hanging.has(launch.digest) && launch.epoch > 0 ? running : [];
      if (!dying.has(launch.digest)) running = [...others, { pid: next, digest: launch.digest, epoch: launch.epoch }];
    },
    async stop({ pid, digest }, withinMs = drainMs) {
      if (hanging.has(digest)) pass(withinMs);
      running = running.filter((each) => each.pid !== pid);
    },
    async isReady() {
      const newest = running.at(-1);
      if (newest !== undefined && hanging.has(newest.digest)) pass(askMs);
      return newest !== undefined && !unready.has(newest.digest) && !hanging.has(newest.digest);
    },
  };
}

/** The default of MESHROLL_AGENT_DRAIN_SECONDS. */
const drainMs = 45_000;

/** One VM: a root with what an installation brings. Its parts may be changed between two agents. */
export interface TestVm {
  readonly root: string;
  readonly places: ReturnType<typeof makePlaces>;
  readonly proxies: FakeProxies;
  readonly reports: Report[];
  /** Verbs of rules programs, each with the slot that ran it and the live slot at that moment. */
  readonly rules: { readonly verb: string; readonly slot: string; readonly live: string | undefined }[];
  tag: string | undefined;
  boot: string;
  now: number;
  controlPlaneAnswers: boolean;
  failRules: (verb: string, revision: string) => boolean;
  /** Rules programs that run until they are ended. */
  hangRules: (verb: string, revision: string) => boolean;
  limits: typeof settings;
  /** The store is not reached. */
  offline: boolean;
  readonly warned: string[];
  /** A new agent on this VM, as after a start. */
  start(disk?: Disk, from?: ArtifactStore, storeMs?: number): ReturnType<typeof createAgent>;
  /** Runs turns, at most `most`, until the agent waits for the tag to change; returns its last report. */
  settle(agent: ReturnType<typeof createAgent>, most?: number): Promise<Report | undefined>;
}

/** A disk with real bytes and names, without syncs. */
export function openQuickDisk(): Disk {
  const disk = openDisk();
  const quick = async (writer: ReturnType<Disk["create"]>) => ({ ...(await writer), sync: async () => undefined });
  return {
    ...disk,
    syncFolder: async () => undefined,
    create: async (path) => quick(disk.create(path)),
    append: async (path) => quick(disk.append(path)),
  };
}

/** Remembers offers, because the signed files do not change during a test. */
export function rememberOffers(folder: string): Parts["findOffer"] {
  const known = new Map<string, Promise<Found>>();
  return async (before, wanted) => {
    const key = JSON.stringify([before, wanted]);
    const found = known.get(key) ?? findOffer(openStore(folder), before, wanted);
    known.set(key, found);
    return found;
  };
}

const settings = {
  version: "0.2.0",
  platform,
  pollMs: 1000,
  storeMs: 60_000,
  readyWithinMs: 5_000,
  settleMs: 1_000,
  probationMs: 60_000,
};

export function makeVm(root: string, store: TestStore, findOffers?: Parts["findOffer"]): TestVm {
  const places = makePlaces(root);
  mkdirSync(dirname(places.firstRoot), { recursive: true });
  writeFileSync(places.firstRoot, store.root);
  const find: Parts["findOffer"] =
    findOffers ?? (async (before, wanted) => findOffer(openStore(store.folder), before, wanted));
  let elapsed = 0;
  const pass = (ms: number): void => {
    elapsed += ms;
    vm.now += ms;
  };
  const vm: TestVm = {
    root,
    places,
    proxies: createFakeProxies((ms) => pass(ms)),
    reports: [],
    rules: [],
    warned: [],
    tag: undefined,
    boot: "boot-1",
    now: Date.now(),
    controlPlaneAnswers: true,
    failRules: () => false,
    hangRules: () => false,
    limits: settings,
    offline: false,
    start(disk = openQuickDisk(), from = openStore(store.folder), storeMs = settings.storeMs) {
      return createAgent({
        disk,
        places,
        store: from,
        findOffer: async (before, wanted, signal) =>
          vm.offline
            ? { trust: before, offer: { kind: "unavailable", why: "no route to host" } }
            : find(before, wanted, signal),
        tag: { read: async () => (vm.tag === undefined ? { kind: "unset" } : { kind: "revision", revision: vm.tag }) },
        proxies: vm.proxies,
        rules: {
          async run(verb, { folder, manifest }) {
            const live = (await disk.readLink(places.current))?.replace("slots/", "");
            vm.rules.push({ verb, slot: folder.split("/").at(-1) ?? "", live });
            const hangs = vm.hangRules(verb, manifest.revision);
            if (hangs) pass(rulesMs);
            if (hangs || vm.failRules(verb, manifest.revision)) throw new Error(`rules ${verb} failed`);
          },
        },
        answers: async () => vm.controlPlaneAnswers,
        reporter: { tell: async (report) => void vm.reports.push(report) },
        now: () => vm.now,
        monotonic: () => elapsed,
        random: () => 0.5,
        boot: vm.boot,
        settings: { ...vm.limits, storeMs },
        warn: (_fact, message) => void vm.warned.push(message),
      });
    },
    async settle(agent, most = 60) {
      for (let count = 0; count < most; count += 1) {
        const { step, waitMs } = await agent.turn();
        pass(Math.max(waitMs, 10));
        const code = vm.reports.at(-1)?.reason.code;
        if (step?.do === "wait" && code !== "Settling" && code !== "GoingBack" && code !== "Installing") break;
      }
      return vm.reports.at(-1);
    },
  };
  return vm;
}

/** Copies the disk to another VM. */
export function copyDisk(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
