import { randomBytes } from "node:crypto";

import { hasVmKey, isVmName, readVmReport } from "#libs/events";
import { redactSecrets } from "#libs/runtime";
import { printCredential, readCredential, readJoinToken } from "#libs/vms";
import { z } from "zod";

import { type Answer, answerError, answerJson, type Call, type Route } from "../http/answer.ts";
import type { VmParts } from "../vms/vm-registry.ts";
import type { ServerParts } from "./server-parts.ts";

/** Seconds between two polls of an agent, on average. */
const pollSeconds = 30;
/** Of a body, bytes. */
const mostBytes = 8192;

type Refusal = readonly [status: number, error: string, message: string];

const refusals = {
  off: [404, "VmsOff", "VMs cannot register here: set MESHROLL_API_VM_KEY"],
  unknownJoin: [
    401,
    "JoinTokenUnknown",
    "the bearer token is no join token of this api: make one with meshroll vms token",
  ],
  expiredJoin: [401, "JoinTokenExpired", "the join token has expired: make another one with meshroll vms token"],
  unknownCredential: [401, "CredentialUnknown", "the bearer token is no credential of this api: register again"],
  notRead: [503, "BusUnavailable", "the bus was not read yet, so tags are not known: ask again"],
  badName: [
    400,
    "BadName",
    "the body must be {name, address}: a name of small letters, digits, - and dots, and an address",
  ],
  badReport: [400, "BadReport", "the body is no report of an agent of this version, of at most 8192 bytes"],
  nameInUse: [
    409,
    "NameInUse",
    "another machine has reported under this name within 90 seconds: stop it, or set MESHROLL_AGENT_NAME to another",
  ],
  full: [503, "TooManyVms", "20000 VMs report already: delete keys reports.> of those that are gone from KV vms"],
} as const satisfies Readonly<Record<string, Refusal>>;

function refuse(call: Call, reason: keyof typeof refusals): Answer {
  // The body may not have been read, so the connection cannot be used again.
  const [status, error, message] = refusals[reason];
  return answerError(call, status, error, message, { connection: "close" });
}

function readBearer({ request }: Call): string {
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
}

const registration = z.strictObject({
  name: z.string().refine(isVmName),
  address: z.string().regex(/^[\u0021-\u007E]{1,64}$/u),
});

function readRegistration(text: string) {
  try {
    return registration.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: the caller is told what is.
    return undefined;
  }
}

async function register({ keys, registry }: VmParts, now: () => number, call: Call): Promise<Answer> {
  const grant = readJoinToken(keys, readBearer(call));
  if (grant === undefined) return refuse(call, "unknownJoin");
  if (now() >= grant.expires) return refuse(call, "expiredJoin");
  if (!registry.isRead()) return refuse(call, "notRead");
  const given = readRegistration((await call.readBody(mostBytes)).toString("utf8"));
  if (given === undefined) return refuse(call, "badName");
  const vm = { group: grant.group, name: given.name };
  if (!hasVmKey(vm)) return refuse(call, "badName");
  if (registry.isInUse(vm)) return refuse(call, "nameInUse");
  const id = randomBytes(12).toString("base64url");
  return answerJson(200, { credential: printCredential(keys[0], { vm, id }), pollSeconds });
}

async function report({ keys, registry }: VmParts, call: Call): Promise<Answer> {
  const credential = readCredential(keys, readBearer(call));
  if (credential === undefined) return refuse(call, "unknownCredential");
  if (!registry.isRead()) return refuse(call, "notRead");
  const said = readVmReport((await call.readBody(mostBytes)).toString("utf8"));
  if (said === undefined || !hasVmKey(credential.vm)) return refuse(call, "badReport");
  const taken = registry.take(credential, { ...said, message: redactSecrets(said.message) });
  if (taken.kind === "nameTaken") return refuse(call, "nameInUse");
  if (taken.kind === "full") return refuse(call, "full");
  // One that the key before signed is replaced in time, so that a change of keys needs no join token.
  const isOfNewest = readCredential(keys.slice(0, 1), readBearer(call)) !== undefined;
  const next = isOfNewest ? {} : { credential: printCredential(keys[0], credential) };
  return answerJson(200, { tag: taken.tag ?? null, pollSeconds, ...next });
}

/**
 * `POST /v1/vms/register` and `/v1/vms/report`, for agents. The api decides nothing here: it keeps what a VM says, under the name
 * in its credential, and answers the tag that an executor set.
 */
export function createVmRoutes({ vms, now }: ServerParts): readonly Route[] {
  const open = (path: string, handle: (parts: VmParts, call: Call) => Promise<Answer>): Route => ({
    method: "POST",
    path,
    isSigned: true,
    handle: async (call) => (vms === undefined ? refuse(call, "off") : handle(vms, call)),
  });
  return [
    open("/v1/vms/register", async (parts, call) => register(parts, now, call)),
    open("/v1/vms/report", async (parts, call) => report(parts, call)),
  ];
}
