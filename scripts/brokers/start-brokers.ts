import { type Broker, type BrokerOptions, startBroker } from "./broker.ts";
import { type BrokerKind, natsKind, redisKind } from "./programs/broker-kind.ts";
import { findPrograms } from "./programs/find-programs.ts";

export type { Broker } from "./broker.ts";

/** Redis and NATS for the demo, the tests or a person. */
export interface Brokers {
  /** Of the operator, who may do everything. */
  readonly redisUrl: string;
  readonly natsUrl: string;
  /** What a service, or a person with the command line, is given to log in: nothing of a server that it has no business with. */
  environmentOf(login: string): BrokerEnvironment;
  /** Absent when REDIS_URL names one that is not ours: that one is never stopped, killed or wiped. */
  readonly redis?: Broker;
  readonly nats?: Broker;
  /** Ends those that are ours. */
  stop(): Promise<void>;
}

export interface BrokerEnvironment {
  readonly MESHROLL_NATS_URL?: string;
  readonly MESHROLL_REDIS_URL?: string;
}

export interface BrokersOptions extends BrokerOptions {
  /** Names given servers: REDIS_URL and NATS_URL. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A Redis of our own, whatever the environment says: for tests that kill it. @internal */
export async function startRedis(options: BrokerOptions): Promise<Broker> {
  return startBroker(redisKind, options);
}

/** A NATS of our own, whatever the environment says: for tests that kill it. @internal */
export async function startNats(options: BrokerOptions): Promise<Broker> {
  return startBroker(natsKind, options);
}

/** The one that the environment names, looked at, or undefined. */
async function findGiven(kind: BrokerKind, { env = process.env, log }: BrokersOptions): Promise<string | undefined> {
  const url = env[`${kind.name.toUpperCase()}_URL`];
  if (url === undefined || url === "") return undefined;
  // The clients are loaded only for this rung: starting own servers needs none.
  const { checkGivenNats, checkGivenRedis } = await import("./check-given.ts");
  await (kind === redisKind ? checkGivenRedis(url, log) : checkGivenNats(url));
  return url;
}

/** Own servers for what is not given; all or none. */
async function startOwn(
  kinds: readonly BrokerKind[],
  options: BrokersOptions,
): Promise<ReadonlyMap<BrokerKind, Broker>> {
  // Looked for together, as what is missing is then fetched together.
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
 * Brings Redis and NATS, by the first that works: the ones that REDIS_URL and NATS_URL name, own processes of installed
 * binaries, own processes of binaries out of the distribution's packages. Throws `BrokersMissing` with the command to
 * install them, or `BrokerUnusable`.
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
      // A server that was named has the logins that its owner gave it: one for all.
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
