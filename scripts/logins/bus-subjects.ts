import { type BucketRights, buckets, type BusRights, sharedWork } from "./bus-rights.ts";

/** What a login needs of one account that holds a bucket or the stream. */
export interface SubjectRights {
  /** Account that it is imported from. */
  readonly account: string;
  readonly subject: string;
  /** `service`: we send there. `stream`: what comes from there. */
  readonly kind: "service" | "stream";
}

const api = "$JS.API";

/** Name of the account that holds a bucket. */
export function nameBucketAccount(bucket: string): string {
  return bucket.toUpperCase();
}

export const eventsAccount = "EVENTS";

/** Answers come below it; the client takes it from its user name, so that no login hears the answers of another. */
export function nameInbox(login: string): string {
  return `_INBOX_${login}`;
}

function send(account: string, ...subjects: readonly string[]): readonly SubjectRights[] {
  return subjects.map((subject) => ({ account, subject, kind: "service" }));
}

function hear(account: string, ...subjects: readonly string[]): readonly SubjectRights[] {
  return subjects.map((subject) => ({ account, subject, kind: "stream" }));
}

function listBucket(login: string, bucket: string, rights: BucketRights, mayMake: boolean): readonly SubjectRights[] {
  const account = nameBucketAccount(bucket);
  const stream = `KV_${bucket}`;
  const keys = (patterns: readonly string[] = []) => patterns.map((pattern) => `$KV.${bucket}.${pattern}`);
  const watched = keys(rights.watch);
  return [
    ...send(account, `${api}.STREAM.INFO.${stream}`),
    ...(mayMake ? send(account, `${api}.STREAM.CREATE.${stream}`) : []),
    ...(rights.sweep === true ? send(account, `${api}.STREAM.PURGE.${stream}`) : []),
    ...send(account, ...keys(rights.get).map((key) => `${api}.DIRECT.GET.${stream}.${key}`)),
    ...send(account, ...keys(rights.put)),
    ...send(account, ...watched.map((key) => `${api}.CONSUMER.CREATE.${stream}.*.${key}`)),
    ...(watched.length === 0
      ? []
      : [
          ...send(account, `${api}.CONSUMER.INFO.${stream}.*`, `${api}.CONSUMER.DELETE.${stream}.*`),
          ...send(account, `$JS.FC.${stream}.>`),
          ...hear(account, `${nameInbox(login)}.>`),
        ]),
  ];
}

function listStream(rights: BusRights): readonly SubjectRights[] {
  const stream = "MESHROLL";
  const to = (...subjects: readonly string[]) => send(eventsAccount, ...subjects);
  const work = rights.work ?? [];
  const usesStream = rights.publish !== undefined || work.length > 0 || rights.recent === true || rights.make === true;
  return [
    ...(usesStream ? to(`${api}.STREAM.INFO.${stream}`) : []),
    ...(rights.make === true ? to(`${api}.STREAM.CREATE.${stream}`, `${api}.STREAM.UPDATE.${stream}`) : []),
    ...to(...(rights.publish ?? []).map((type) => `meshroll.v1.${type}`)),
    ...hear(eventsAccount, ...(rights.listen ?? []).map((type) => `meshroll.kept.v1.${type}`)),
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

/** Everything that a login sends to and hears from, in the words of NATS. */
export function listSubjects(login: string, rights: BusRights): readonly SubjectRights[] {
  const own = buckets.flatMap((bucket) => {
    const given = rights.buckets[bucket];
    return given === undefined ? [] : listBucket(login, bucket, given, rights.make === true);
  });
  return [...own, ...listStream(rights)];
}

/** Who reads the stream by consumers of its own must not touch those that outlive it. */
export function listDenied({ recent, work = [] }: BusRights): readonly string[] {
  if (recent !== true) return [];
  const others = sharedWork.filter((name) => !work.includes(name));
  const verbs = ["CREATE", "INFO", "DELETE", "MSG.NEXT"];
  return others.flatMap((name) => verbs.map((verb) => `${api}.CONSUMER.${verb}.MESHROLL.${name}`));
}

const consumerVerbs = ["CREATE", "DURABLE.CREATE", "INFO", "DELETE", "PAUSE"];

/** The rights of a person who runs the servers: everything in every account. */
export function listOperatorSubjects(login: string): readonly SubjectRights[] {
  const places = [
    ...buckets.map((name) => [nameBucketAccount(name), `KV_${name}`] as const),
    [eventsAccount, "MESHROLL"] as const,
  ];
  const common = places.flatMap(([account, stream]) => [
    ...send(account, `${api}.STREAM.*.${stream}`, `${api}.STREAM.MSG.*.${stream}`),
    ...send(account, `${api}.DIRECT.GET.${stream}`, `${api}.DIRECT.GET.${stream}.>`),
    ...consumerVerbs.flatMap((verb) => send(account, `${api}.CONSUMER.${verb}.${stream}.>`)),
    ...send(account, `${api}.CONSUMER.LIST.${stream}`, `${api}.CONSUMER.NAMES.${stream}`),
    ...send(account, `${api}.CONSUMER.CREATE.${stream}`, `${api}.CONSUMER.MSG.NEXT.${stream}.>`),
    ...send(account, `$JS.ACK.${stream}.>`, `$JS.FC.${stream}.>`),
    ...hear(account, `${nameInbox(login)}.>`),
  ]);
  return [
    ...common,
    ...buckets.flatMap((name) => send(nameBucketAccount(name), `$KV.${name}.>`)),
    ...send(eventsAccount, "meshroll.v1.>"),
    ...hear(eventsAccount, "meshroll.kept.v1.>"),
  ];
}
