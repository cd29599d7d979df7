import { systemClock, type TlsMaterial } from "#libs/runtime";
import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { connect, type NatsConnection } from "@nats-io/transport-node";

import { describeAddress, parseAddress } from "../address.ts";
import { mayNotMake, nameTrouble } from "./classify.ts";
import { BusRefused, BusUnavailable, NotMade, readMessage } from "../errors.ts";
import { type BusTroubles, createBusTroubles, printBusTrouble } from "../troubles.ts";

const clock = systemClock();

/** One connection and its clients. */
export interface Session {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly kvm: Kvm;
}

/** A connection to the bus that is restored until it is closed. */
export interface Link {
  /** For messages: the servers. */
  readonly address: string;
  /** Aborted by `close`. */
  readonly closing: AbortSignal;
  isConnected(): boolean;
  /** The session once there is a connection; rejects with `BusUnavailable` when there is none in time. */
  open(limitMs: number, signal?: AbortSignal): Promise<Session>;
  /** Calls `use` with the present session, if any, and with every new one. The returned function ends that. */
  attach(use: (session: Session) => void): () => void;
  /** Calls `use` whenever a lost connection is back. The returned function ends that. */
  onBack(use: () => void): () => void;
  /**
   * Creates a bucket or the stream, named by `what`, if this login may. Throws `NotMade` if it may not; the server is then not
   * asked again on this connection, because it logs each refusal.
   */
  make<T>(what: string, session: Session, use: () => Promise<T>): Promise<T>;
  /** Troubles that only a person can end. */
  readonly troubles: BusTroubles;
  /** Logs a fault; a repeated one once. */
  reportFault(fault: string): void;
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly url: string;
  readonly tls?: TlsMaterial | undefined;
  /** The client's name on the server. */
  readonly name: string;
  readonly onFault: (fault: string) => void;
}

/** Real ms between two tries to connect. */
const retryMs = 250;
/** A refused login is retried less often, because the server logs each try; a password may be about to change. */
const refusedRetryMs = 2_000;
const dialLimitMs = 2_000;
/** A request without an answer is repeated after this time, within the caller's limit. */
const requestLimitMs = 1_000;

async function dial({ url, tls, name }: LinkOptions): Promise<Session> {
  const nc = await connect({
    ...parseAddress(url),
    ...(tls === undefined ? {} : { tls: { ...tls } }),
    name,
    timeout: dialLimitMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    // A password that is being changed must not end the connection for good.
    ignoreAuthErrorAbort: true,
    // Detects a half-open connection after 15 s instead of 6 minutes.
    pingInterval: 5_000,
  });
  const js = jetstream(nc, { timeout: requestLimitMs, checkAPI: false });
  const jsm = await jetstreamManager(nc, { timeout: requestLimitMs, checkAPI: false });
  return { nc, js, jsm, kvm: new Kvm(js) };
}

/** What a server lacks, or undefined. */
export function judgeServer({ nc }: Session, address: string): BusRefused | undefined {
  const { version = "0", jetstream: hasJetStream } = nc.info ?? {};
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 2 || (major === 2 && minor < 9)) {
    return new BusRefused(`NATS at ${address} is ${version}; needed is 2.9 or newer`);
  }
  if (hasJetStream === true) return undefined;
  return new BusRefused(`NATS at ${address} runs without JetStream; start it with: nats-server -js -sd DIR`);
}

/** Holds a connection open: connects at once and never gives up. */
export function createLink(options: LinkOptions): Link {
  const address = describeAddress(options.url);
  const stop = new AbortController();
  const attached = new Set<(session: Session) => void>();
  const onBack = new Set<() => void>();
  const waiting = new Set<() => void>();
  let session: Session | undefined;
  let isUp = false;
  let lastFault = "no connection yet";
  let lastReported = "";
  const troubles = createBusTroubles(clock);

  function reportFault(fault: string): void {
    if (fault !== lastReported) options.onFault(fault);
    lastReported = fault;
  }

  /** A refused login is reported by name, because waiting alone does not end it. */
  function noteFault(error: unknown): boolean {
    lastFault = readMessage(error);
    if (nameTrouble(error) !== "BusLoginRefused") return false;
    troubles.note("login", "BusLoginRefused", `NATS at ${address} refuses the login: ${lastFault}`);
    const trouble = troubles.first();
    if (trouble !== undefined) reportFault(printBusTrouble(trouble));
    return true;
  }

  function markConnected(): void {
    lastReported = "";
    troubles.clear("login");
    isUp = true;
    for (const wake of waiting) wake();
  }

  async function follow({ nc }: Session): Promise<void> {
    for await (const status of nc.status()) {
      if (status.type === "disconnect" || status.type === "staleConnection") isUp = false;
      if (status.type === "error" && !noteFault(status.error)) reportFault(status.error.message);
      if (status.type !== "reconnect") continue;
      markConnected();
      for (const use of onBack) use();
    }
  }

  async function stayConnected(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        session = await dial(options);
      } catch (error) {
        const pauseMs = noteFault(error) ? refusedRetryMs : retryMs;
        await clock.sleepReal(pauseMs, stop.signal).catch(() => undefined);
        continue;
      }
      const { nc } = session;
      if (stop.signal.aborted) return nc.close();
      void follow(session);
      markConnected();
      for (const use of attached) use(session);
      // The client reconnects by itself; it closes only by `close` and by fatal errors.
      const fault = await nc.closed();
      isUp = false;
      session = undefined;
      if (!stop.signal.aborted) reportFault(`connection closed: ${fault?.message ?? "no reason given"}`);
    }
  }
  const ended = stayConnected();

  async function open(limitMs: number, signal?: AbortSignal): Promise<Session> {
    const until = clock.monotonic() + limitMs;
    while (!isUp || session === undefined) {
      const left = until - clock.monotonic();
      if (stop.signal.aborted) throw new BusUnavailable(`the connection to NATS at ${address} was closed`);
      if (left <= 0) throw new BusUnavailable(`NATS at ${address} does not answer: ${lastFault}`);
      const woken = new AbortController();
      const wake = () => woken.abort();
      waiting.add(wake);
      const signals = [woken.signal, stop.signal, ...(signal === undefined ? [] : [signal])];
      await clock.sleepReal(left, AbortSignal.any(signals)).catch(() => undefined);
      waiting.delete(wake);
      signal?.throwIfAborted();
    }
    return session;
  }

  const denied = new WeakSet<Session>();
  async function make<T>(what: string, on: Session, use: () => Promise<T>): Promise<T> {
    const absent = new NotMade(`there is no ${what} yet`);
    if (denied.has(on)) throw absent;
    try {
      return await use();
    } catch (error) {
      if (!mayNotMake(error)) throw error;
      denied.add(on);
      throw absent;
    }
  }

  return {
    address,
    make,
    closing: stop.signal,
    troubles,
    isConnected: () => isUp,
    open,
    attach(use) {
      attached.add(use);
      if (session !== undefined) use(session);
      return () => void attached.delete(use);
    },
    onBack(use) {
      onBack.add(use);
      return () => void onBack.delete(use);
    },
    reportFault,
    async close() {
      stop.abort();
      isUp = false;
      await session?.nc.close();
      await ended;
    },
  };
}
