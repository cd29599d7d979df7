import { buckets, type BusRights } from "./bus-rights.ts";
import {
  listDenied,
  listOperatorSubjects,
  listSubjects,
  nameBucketAccount,
  nameEvents,
  nameEventsAccount,
  nameInbox,
  nameKeys,
  type SubjectRights,
} from "./bus-subjects.ts";

/** A NATS user. `password` is a value of the configuration file: quoted, or `$NAME` of the server's environment. */
export interface BusLogin {
  readonly name: string;
  /** The login reaches the buckets, stream and subjects of this installation only. */
  readonly installation: string;
  readonly password: string;
  /** `operator`: a person who runs the servers. */
  readonly rights: BusRights | "operator";
}

/** Name of the login's own account. What it publishes reaches another account only by an import that is listed here. */
function nameLoginAccount(login: string): string {
  return `LOGIN_${login.toUpperCase().replaceAll("-", "_")}`;
}

const quote = (text: string): string => JSON.stringify(text);

/**
 * An imported subject that nothing answers: without this import NATS gives the account its own JetStream API next to the
 * imported one.
 */
const ownView = "$JS.API.INFO";

function printImport({ account, subject, kind }: SubjectRights): string {
  return `      { ${kind}: { account: ${account}, subject: ${quote(subject)} } }`;
}

function printLogin(login: BusLogin): string {
  const { name, installation, password, rights } = login;
  const subjects = rights === "operator" ? listOperatorSubjects(login) : listSubjects(login, rights);
  const published = subjects.filter(({ kind }) => kind === "service").map(({ subject }) => quote(subject));
  const received = subjects.filter(({ kind }) => kind === "stream").map(({ subject }) => quote(subject));
  const denied = rights === "operator" ? [] : listDenied(installation, rights);
  const inbox = quote(`${nameInbox(name)}.>`);
  const subscribed = [...new Set([inbox, ...received])];
  const deny = denied.length === 0 ? "" : `, deny: [${denied.map(quote).join(", ")}]`;
  const permissions = [
    ",",
    "      permissions: {",
    `        publish: { allow: [${published.join(", ")}]${deny} },`,
    `        subscribe: { allow: [${subscribed.join(", ")}] }`,
    "      }",
  ].join("\n");
  const imports = [
    { account: nameEventsAccount(installation), subject: ownView, kind: "service" as const },
    ...subjects,
  ];
  return `  ${nameLoginAccount(name)} {
    users: [{ user: ${quote(name)}, password: ${password}${rights === "operator" ? "" : permissions} }]
    imports: [
${imports.map(printImport).join("\n")}
    ]
  }`;
}

function printDataAccount(account: string, own: readonly string[], logins: readonly BusLogin[]): string {
  const inboxes = logins.map(({ name }) => {
    return `      { stream: ${quote(`${nameInbox(name)}.>`)}, accounts: [${nameLoginAccount(name)}] }`;
  });
  const services = ["STREAM.>", "DIRECT.>", "CONSUMER.CREATE.>", "CONSUMER.DURABLE.>", "CONSUMER.INFO.>"]
    .concat("CONSUMER.DELETE.>", "CONSUMER.LIST.>", "CONSUMER.NAMES.>", "CONSUMER.PAUSE.>")
    .map((subject) => `      { service: ${quote(`$JS.API.${subject}`)} }`);
  return `  ${account} {
    jetstream: enabled
    exports: [
${services.join("\n")}
      { service: "$JS.API.CONSUMER.MSG.NEXT.>", response: stream }
      { service: "$JS.ACK.>" }
      { service: "$JS.FC.>" }
${own.map((line) => `      ${line}`).join("\n")}
${inboxes.join("\n")}
    ]
  }`;
}

/** The accounts that hold the buckets and the stream of one installation; only its own logins may import from them. */
function printDataAccounts(installation: string, logins: readonly BusLogin[]): readonly string[] {
  const own = logins.filter((login) => login.installation === installation);
  const { said, kept } = nameEvents(installation);
  const keys = (bucket: string) => [`{ service: ${quote(nameKeys(bucket, installation))} }`];
  return [
    ...buckets.map((bucket) => printDataAccount(nameBucketAccount(bucket, installation), keys(bucket), own)),
    printDataAccount(
      nameEventsAccount(installation),
      [`{ service: ${quote(ownView)} }`, `{ service: ${quote(`${said}>`)} }`, `{ stream: ${quote(`${kept}>`)} }`],
      own,
    ),
  ];
}

/**
 * The `accounts` block of a NATS server's configuration. Each bucket and the stream have an account of their own: a consumer
 * can deliver to any subject of its account, and a request's answer can go to any subject of the asker's account, so in a
 * shared account each reader could write.
 */
export function printNatsAccounts(logins: readonly BusLogin[]): string {
  const installations = [...new Set(logins.map(({ installation }) => installation))];
  const dataAccounts = installations.flatMap((installation) => printDataAccounts(installation, logins));
  return `accounts {\n${[...dataAccounts, ...logins.map(printLogin)].join("\n")}\n}\n`;
}
