import { type Broker, type BrokerOptions, startBroker } from "./broker.ts";
import { type BrokerKind, natsKind, redisKind } from "./programs/broker-kind.ts";
import { findPrograms } from "./programs/find-programs.ts";

export type { Broker } from "./broker.ts";

/** Redis and NATS for the demo, the tests or a person. */
export interface Brokers {
  /** Logs in as the operator, who may do everything. */
  readonly redisUrl: string;
  readonly natsUrl: string;
  /**
   * Environment variables with which a service or the command line logs in as `login`; none for a server that it does not use.
   */
  environmentOf(login: string): BrokerEnvironment;
  /** Absent when REDIS_URL names the server: such a server is never stopped, killed or wiped. */
  readonly redis?: Broker;
  readonly nats?: Broker;
  /** Ends the servers that were started here. */
  stop(): Promise<void>;
}

export interface BrokerEnvironment {
  readonly MESHROLL_NATS_URL?: string;
  readonly MESHROLL_REDIS_URL?: string;
}

export interface BrokersOptions extends BrokerOptions {
  /** Where REDIS_URL and NATS_URL are read from. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Starts a Redis also where REDIS_URL is set, for tests that kill it. @internal */
export async function startRedis(options: BrokerOptions): Promise<Broker> {
  return startBroker(redisKind, options);
}

/** Starts a NATS also where NATS_URL is set, for tests that kill it. @internal */
export async function startNats(options: BrokerOptions): Promise<Broker> {
  return startBroker(natsKind, options);
}

/** The checked URL of the server that the environment names, or undefined. */
async function findGiven(kind: BrokerKind, { env = process.env, log }: BrokersOptions): Promise<string | undefined> {
  const url = env[`${kind.name.toUpperCase()}_URL`];
  if (url === undefined || url === "") return undefined;
  // The clients are imported only here: starting our own servers does not need them.
  const { checkGivenNats, checkGivenRedis } = await import("./check-given.ts");
  await (kind === redisKind ? checkGivenRedis(url, log) : checkGivenNats(url));
  return url;
}

/** Starts these servers; when one fails, the others are stopped again. */
async function startOwn(
  kinds: readonly BrokerKind[],
  options: BrokersOptions,
): Promise<ReadonlyMap<BrokerKind, Broker>> {
  // All are looked up first, so that one download fetches what is missing.
  if (kinds.length > 0) await findPrograms(kinds, options);
  const started = new Map<BrokerKind, Broker>();
  try {
    for (const kind of kinds) started.set(kind, await startBroker(kind, options));
    return started;
  } catch (error) {
    await Promise.all([...started.values()].map(async (broker) => broker.stop()));
    throw error;
  }
}

/**
 * Starts Redis and NATS, by the first that works: the servers that REDIS_URL and NATS_URL name, installed binaries, binaries
 * unpacked from the distribution's packages. Throws `BrokersMissing`, which names the command that installs them, or
 * `BrokerUnusable`.
 */
export async function startBrokers(options: BrokersOptions): Promise<Brokers> {
  const given = new Map<BrokerKind, string>();
  for (const kind of [redisKind, natsKind]) {
    const url = await findGiven(kind, options);
    if (url !== undefined) given.set(kind, url);
  }
  const absent = [redisKind, natsKind].filter((kind) => !given.has(kind));
  const own = await startOwn(absent, options);
  const urlOf = (kind: BrokerKind) => given.get(kind) ?? own.get(kind)?.url ?? "";
  const redis = own.get(redisKind);
  const nats = own.get(natsKind);
  return {
    redisUrl: urlOf(redisKind),
    natsUrl: urlOf(natsKind),
    environmentOf(login) {
      // A server named by its URL has one login for all services: the one in that URL.
      const of = (kind: BrokerKind) => given.get(kind) ?? own.get(kind)?.findUrl(login);
      const [bus, queue] = [of(natsKind), of(redisKind)];
      return {
        ...(bus === undefined ? {} : { MESHROLL_NATS_URL: bus }),
        ...(queue === undefined ? {} : { MESHROLL_REDIS_URL: queue }),
      };
    },
    ...(redis === undefined ? {} : { redis }),
    ...(nats === undefined ? {} : { nats }),
    async stop() {
      await Promise.all([...own.values()].map(async (broker) => broker.stop()));
    },
  };
}
