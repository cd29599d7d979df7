import type { Clock } from "#libs/runtime";

import { type Send, ServerUnreachable } from "../requests/api-call.ts";
import { createClusterStore } from "../store/cluster-store.ts";
import { createClusterWriter } from "../write/cluster-writer.ts";
import { connect, type Connection } from "../requests/connection.ts";
import { createInjectionProver } from "../watch/injection-prover.ts";
import { omitOwn } from "../objects/mesh-facts.ts";
import { createIstiodAsker } from "../istiods/ask-istiod.ts";
import { createStatusReader } from "../istiods/read-status.ts";
import { createIstiodReader } from "../istiods/istiod-reader.ts";
import { gateLists, gateWrites } from "../requests/gated-requests.ts";
import type { KubeconfigSource } from "../access/find-kubeconfig.ts";
import { createLastSeen } from "./last-seen.ts";
import type { Cluster } from "../port.ts";
import { createProblems } from "./problems.ts";
import { reflect, REFLECTOR_TIMING, type ReflectorTiming } from "../watch/reflector.ts";
import type { ReflectorFault } from "../watch/reflector-fault.ts";
import { createRequestGate, type RequestRate } from "../requests/request-gate.ts";
import { readRollout } from "../rollout/read-rollout.ts";
import { createServerClock } from "../requests/server-clock.ts";
import { WATCHED } from "../watch/watched-resources.ts";

export interface ClusterOptions {
  /** Our own name of the cluster, `[a-z0-9-]`. */
  readonly name: string;
  readonly kubeconfig: KubeconfigSource;
  readonly clock: Clock;
  /** Default "meshroll". */
  readonly fieldManager?: string;
  readonly timing?: Partial<ReflectorTiming>;
  /** Requests per second; default 20 writes (30 at once) and 50 pages of lists (100 at once), as each API server gets them. */
  readonly rates?: { readonly writes?: RequestRate; readonly lists?: RequestRate };
  /** Called for every fault of a watch, for logs and metrics. The reflector recovers by itself. */
  readonly onFault?: (fault: ReflectorFault) => void;
}

/** A Kubernetes cluster behind its API server. Neither the kubeconfig nor the server is read before the first use. */
export function openCluster(options: ClusterOptions): Cluster {
  const { name, clock, fieldManager = "meshroll" } = options;
  const store = createClusterStore((flush) => setImmediate(flush));
  const problems = createProblems(() => store.feed.add(undefined));
  const seen = createLastSeen(clock);
  const serverClock = createServerClock(clock);
  const gate = createRequestGate(clock, options.rates);
  let connection: Promise<Connection> | undefined;
  const reach = () => (connection ??= open(options.kubeconfig));
  const open = async (source: KubeconfigSource) => {
    try {
      const made = await connect(source, { onBytes: () => seen.touch(), onDate: (date) => serverClock.hear(date) });
      problems.reportAccess(undefined);
      return made;
    } catch (error) {
      // The kubeconfig is read again at the next request, in case it was corrected.
      connection = undefined;
      problems.reportAccess(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
  const send = gateWrites(gate, sendRenewing(reach));
  const istiods = createIstiodReader({
    ask: createIstiodAsker({
      send,
      readStatus: createStatusReader(async (...asked) => (await orUnreachable(reach())).dial(...asked)),
      monotonic: () => clock.monotonic(),
    }),
    store,
    changed: () => store.feed.add(undefined),
    monotonic: () => clock.monotonic(),
  });
  const prover = createInjectionProver({ send, store, monotonic: () => clock.monotonic() });
  return {
    name,
    view: {
      namespaces: store.namespaces,
      templateOf: store.templateOf,
      entriesOf: store.entriesOf,
      seenAtMonotonic: () => seen.moment().monotonic,
      facts: () => ({
        cluster: name,
        seenAt: seen.moment().at,
        ...describeServerTime(serverClock.now()),
        ...store.facts(),
      }),
    },
    problems: () => [...problems.list(), ...istiods.problems()],
    readIstiods: async () => istiods.read(),
    proveInjection: async (labels, maxAgeMs) => prover.prove(labels, maxAgeMs),
    readRollout: async (ref) => readRollout(send, ref, store.findRefusal),
    noteAdmission: store.noteAdmission,
    locateControlPlane: (place) => store.locate(omitOwn(place, name)),
    ...createClusterWriter(send, fieldManager, {
      noteRefusal: store.noteRefusal,
      // The API server's clock; this machine's clock while the server has sent no `Date`.
      serverNow: () => serverClock.now() ?? clock.now(),
      monotonic: () => clock.monotonic(),
    }),
    start: async (onChange, signal) => {
      const live = gateLists(gate, await reach());
      signal.addEventListener("abort", () => store.feed.stop(), { once: true });
      const listed = WATCHED.map((resource) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        void reflect({
          connection: live,
          resource,
          sink: store.sinks[resource.name],
          signal,
          clock,
          timing: { ...REFLECTOR_TIMING, ...options.timing },
          random: Math.random,
          observe: (version) => store.observe(version),
          onLines: () => seen.find(resource.name),
          onListed: resolve,
          onHealthy: () => {
            seen.find(resource.name);
            problems.clear(resource);
            store.noteReadable(resource.name, true);
          },
          onAbsent: () => {
            seen.find(resource.name);
            problems.clear(resource);
            store.noteAbsent(resource.name);
          },
          onFault: (fault) => {
            // An optional collection that may not be read does not make the rest of the view old.
            if (fault.kind === "silent") seen.loseSince(resource.name);
            else if (!resource.optional || fault.kind !== "forbidden") seen.lose(resource.name);
            problems.report(resource, fault);
            if (fault.kind === "forbidden") store.noteReadable(resource.name, false);
            options.onFault?.(fault);
          },
        });
        return promise;
      });
      await Promise.race([Promise.all(listed), rejectOnAbort(signal)]);
      store.feed.listen(onChange);
    },
  };
}

function describeServerTime(serverAt: number | undefined): { readonly serverAt?: number } {
  return serverAt === undefined ? {} : { serverAt };
}

async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

/** A write that was answered with 401 is sent once more with new credentials: the first one was not carried out. */
function sendRenewing(reach: () => Promise<Connection>): Send {
  return async (call) => {
    const connection = await orUnreachable(reach());
    const answer = await connection.send(call);
    if (answer.status !== 401 || call.isPassedOn === true) return answer;
    await orUnreachable(connection.renew());
    return connection.send(call);
  };
}

/** A kubeconfig that cannot be read is treated like a lost connection: no write until it is corrected. */
async function orUnreachable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ServerUnreachable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
