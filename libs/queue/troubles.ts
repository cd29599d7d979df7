/** Why Redis cannot be used; only `QueueDown` may end by itself. */
export type QueueTroubleCode =
  | "QueueDown"
  | "QueueFull"
  | "QueueLoginRefused"
  | "QueueRightMissing"
  | "QueueReadOnly"
  | "QueueTooOld"
  | "QueueEvicts"
  | "QueueForgets"
  | "QueueUnknown";

/** What is wrong with Redis, for people. */
export interface QueueTrouble {
  readonly code: QueueTroubleCode;
  /** What and where, one sentence without a full stop. */
  readonly message: string;
  /** What a person types or changes. */
  readonly help: string;
}

const queueHelp: Readonly<Record<QueueTroubleCode, string>> = {
  QueueDown: "start Redis; is MESHROLL_REDIS_URL right?",
  QueueFull: "redis-cli CONFIG SET maxmemory 0, or more memory or disk for it; redis-cli --bigkeys shows what fills it",
  QueueLoginRefused: "is the password in MESHROLL_REDIS_URL that of the server? npm run logins writes both again",
  QueueRightMissing: "give the process the login of its service: npm run logins, then redis-cli ACL LOAD",
  QueueReadOnly: "MESHROLL_REDIS_URL names a replica: name the server that takes writes",
  QueueTooOld: "install Redis 6.2 or newer",
  QueueEvicts: "redis-cli CONFIG SET maxmemory-policy noeviction, and the same in its configuration",
  QueueForgets: "redis-cli CONFIG SET appendonly yes, and the same in its configuration",
  QueueUnknown: "look at the log of the process, and at Redis",
};

/** Redis' error codes; a script repeats the code behind a dash. */
const codes: ReadonlyMap<string, QueueTroubleCode> = new Map([
  ["OOM", "QueueFull"],
  // Its disk is full: it refuses every write.
  ["MISCONF", "QueueFull"],
  ["NOAUTH", "QueueLoginRefused"],
  ["WRONGPASS", "QueueLoginRefused"],
  ["NOPERM", "QueueRightMissing"],
  ["READONLY", "QueueReadOnly"],
]);

/** Reads the code of an error that Redis sent. */
export function nameQueueTrouble(error: unknown): QueueTroubleCode {
  const text = error instanceof Error ? error.message : String(error);
  const found = /(?:^|[\s:]-?)(OOM|MISCONF|NOAUTH|WRONGPASS|NOPERM|READONLY) /.exec(text)?.[1];
  return codes.get(found ?? "") ?? "QueueDown";
}

export function makeTrouble(code: QueueTroubleCode, message: string): QueueTrouble {
  return { code, message, help: queueHelp[code] };
}

/** For logs and lists. */
export function printQueueTrouble({ code, message, help }: QueueTrouble): string {
  return `${code}: ${message}; fix with: ${help}`;
}
