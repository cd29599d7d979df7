import { type BucketRights, buckets, type BusRights, sharedWork } from "./bus-rights.ts";

/** One subject that a login imports from the account of a bucket or of the stream. */
export interface SubjectRights {
  /** Account that exports it. */
  readonly account: string;
  readonly subject: string;
  /** `service`: the login publishes there. `stream`: it receives messages from there. */
  readonly kind: "service" | "stream";
}

const api = "$JS.API";

/**
 * Name of the account that holds a bucket of an installation. Installations share no account: a login that may watch a bucket
 * can have its content delivered to any subject of that account.
 */
export function nameBucketAccount(bucket: string, installation: string): string {
  return `${bucket}_${installation}`.toUpperCase();
}

/** Name of the account that holds the stream of an installation. */
export function nameEventsAccount(installation: string): string {
  return `EVENTS_${installation}`.toUpperCase();
}

/** Prefix of the subjects of answers. It contains the user name, so that no login can read the answers to another. */
export function nameInbox(login: string): string {
  return `_INBOX_${login}`;
}

function send(account: string, ...subjects: readonly string[]): readonly SubjectRights[] {
  return subjects.map((subject) => ({ account, subject, kind: "service" }));
}

function receive(account: string, ...subjects: readonly string[]): readonly SubjectRights[] {
  return subjects.map((subject) => ({ account, subject, kind: "stream" }));
}

/** The JetStream stream of a bucket of an installation, and the prefix of its keys' subjects. */
function nameBucket(bucket: string, installation: string): { readonly stream: string; readonly keys: string } {
  return { stream: `KV_${bucket}-${installation}`, keys: `$KV.${bucket}-${installation}.` };
}

/** Subject pattern of all keys of a bucket. */
export function nameKeys(bucket: string, installation: string): string {
  return `${nameBucket(bucket, installation).keys}>`;
}

/**
 * The stream of an installation, the prefix of subjects to publish on, and the prefix of subjects on which the stream
 * republishes.
 */
export function nameEvents(installation: string): {
  readonly stream: string;
  readonly said: string;
  readonly kept: string;
} {
  const own = `meshroll.${installation}`;
  return { stream: `MESHROLL-${installation}`, said: `${own}.v1.`, kept: `${own}.kept.v1.` };
}

interface Login {
  readonly name: string;
  readonly installation: string;
}

function listBucket(login: Login, bucket: string, rights: BucketRights, mayMake: boolean): readonly SubjectRights[] {
  const account = nameBucketAccount(bucket, login.installation);
  const { stream, keys: prefix } = nameBucket(bucket, login.installation);
  const keys = (patterns: readonly string[] = []) => patterns.map((pattern) => prefix + pattern);
  const watched = keys(rights.watch);
  return [
    ...send(account, `${api}.STREAM.INFO.${stream}`),
    ...(mayMake ? send(account, `${api}.STREAM.CREATE.${stream}`, `${api}.STREAM.UPDATE.${stream}`) : []),
    ...(rights.sweep === true ? send(account, `${api}.STREAM.PURGE.${stream}`) : []),
    ...send(account, ...keys(rights.get).map((key) => `${api}.DIRECT.GET.${stream}.${key}`)),
    ...send(account, ...keys(rights.put)),
    ...send(account, ...watched.map((key) => `${api}.CONSUMER.CREATE.${stream}.*.${key}`)),
    ...(watched.length === 0
      ? []
      : [
          ...send(account, `${api}.CONSUMER.INFO.${stream}.*`, `${api}.CONSUMER.DELETE.${stream}.*`),
          ...send(account, `$JS.FC.${stream}.>`),
          ...receive(account, `${nameInbox(login.name)}.>`),
        ]),
  ];
}

function listStream({ installation }: Login, rights: BusRights): readonly SubjectRights[] {
  const { stream, said, kept } = nameEvents(installation);
  const eventsAccount = nameEventsAccount(installation);
  const to = (...subjects: readonly string[]) => send(eventsAccount, ...subjects);
  const work = rights.work ?? [];
  const usesStream = rights.publish !== undefined || work.length > 0 || rights.recent === true || rights.make === true;
  return [
    ...(usesStream ? to(`${api}.STREAM.INFO.${stream}`) : []),
    ...(rights.make === true ? to(`${api}.STREAM.CREATE.${stream}`, `${api}.STREAM.UPDATE.${stream}`) : []),
    ...to(...(rights.publish ?? []).map((type) => said + type)),
    ...receive(eventsAccount, ...(rights.listen ?? []).map((type) => kept + type)),
    ...work.flatMap((name) =>
      to(
        `${api}.CONSUMER.INFO.${stream}.${name}`,
        `${api}.CONSUMER.CREATE.${stream}.${name}.>`,
        `${api}.CONSUMER.MSG.NEXT.${stream}.${name}`,
        `$JS.ACK.${stream}.${name}.>`,
      ),
    ),
    ...(rights.recent === true
      ? to(
          `${api}.CONSUMER.CREATE.${stream}.*`,
          `${api}.CONSUMER.INFO.${stream}.*`,
          `${api}.CONSUMER.DELETE.${stream}.*`,
          `${api}.CONSUMER.MSG.NEXT.${stream}.*`,
        )
      : []),
  ];
}

/** All NATS subjects that a login publishes or subscribes to. */
export function listSubjects(login: Login, rights: BusRights): readonly SubjectRights[] {
  const own = buckets.flatMap((bucket) => {
    const given = rights.buckets[bucket];
    return given === undefined ? [] : listBucket(login, bucket, given, rights.make === true);
  });
  // Gives only names and times of buckets: the command line shows which installations use this server.
  const list = rights.list === true ? send(nameBucketAccount("status", login.installation), `${api}.STREAM.LIST`) : [];
  return [...own, ...listStream(login, rights), ...list];
}

/** A login that creates consumers on the stream must not touch the durable ones of others. */
export function listDenied(installation: string, { recent, work = [] }: BusRights): readonly string[] {
  if (recent !== true) return [];
  const others = sharedWork.filter((name) => !work.includes(name));
  const verbs = ["CREATE", "INFO", "DELETE", "MSG.NEXT"];
  return others.flatMap((name) =>
    verbs.map((verb) => `${api}.CONSUMER.${verb}.${nameEvents(installation).stream}.${name}`),
  );
}

const consumerVerbs = ["CREATE", "DURABLE.CREATE", "INFO", "DELETE", "PAUSE"];

/** Subjects of a person who runs the servers: everything in every account. */
export function listOperatorSubjects({ name: login, installation }: Login): readonly SubjectRights[] {
  const events = nameEvents(installation);
  const eventsAccount = nameEventsAccount(installation);
  const accountOf = (bucket: string) => nameBucketAccount(bucket, installation);
  const places = [
    ...buckets.map((name) => [accountOf(name), nameBucket(name, installation).stream] as const),
    [eventsAccount, events.stream] as const,
  ];
  const common = places.flatMap(([account, stream]) => [
    ...send(account, `${api}.STREAM.*.${stream}`, `${api}.STREAM.MSG.*.${stream}`),
    ...send(account, `${api}.DIRECT.GET.${stream}`, `${api}.DIRECT.GET.${stream}.>`),
    ...consumerVerbs.flatMap((verb) => send(account, `${api}.CONSUMER.${verb}.${stream}.>`)),
    ...send(account, `${api}.CONSUMER.LIST.${stream}`, `${api}.CONSUMER.NAMES.${stream}`),
    ...send(account, `${api}.CONSUMER.CREATE.${stream}`, `${api}.CONSUMER.MSG.NEXT.${stream}.>`),
    ...send(account, `$JS.ACK.${stream}.>`, `$JS.FC.${stream}.>`),
    ...receive(account, `${nameInbox(login)}.>`),
  ]);
  return [
    ...common,
    ...send(accountOf("status"), `${api}.STREAM.LIST`),
    ...buckets.flatMap((name) => send(accountOf(name), nameKeys(name, installation))),
    ...send(eventsAccount, `${events.said}>`),
    ...receive(eventsAccount, `${events.kept}>`),
  ];
}
