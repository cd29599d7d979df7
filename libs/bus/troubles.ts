import type { Clock } from "#libs/runtime";

/** Why a process cannot use the bus, until a person acts. */
export type BusTroubleCode = "BusLoginRefused" | "BusRightMissing" | "BusFull" | "BusNotMade";

/** A present trouble, for people. */
export interface BusTrouble {
  readonly code: BusTroubleCode;
  /** What happened and where. */
  readonly message: string;
  /** Who can end it. */
  readonly owner: "NATS" | "planner";
  /** The command or change that ends it. */
  readonly help: string;
}

const helps: Readonly<Record<BusTroubleCode, Pick<BusTrouble, "owner" | "help">>> = {
  BusLoginRefused: {
    owner: "NATS",
    help: "is the password in MESHROLL_NATS_URL that of the server? npm run logins writes both again",
  },
  BusRightMissing: {
    owner: "NATS",
    help: "give the process the login of its service: npm run logins, then restart NATS and this process",
  },
  BusFull: {
    owner: "NATS",
    help: "make room: nats stream ls, nats stream purge of what may go, or a larger disk or max_file_store of NATS",
  },
  BusNotMade: { owner: "planner", help: "start the planner: only its login may create what is missing" },
};

/** Present troubles of one process, by what was attempted; one ends when that works, or after a minute without a refusal. */
export interface BusTroubles {
  note(about: string, code: BusTroubleCode, message: string): void;
  clear(about: string): void;
  /** The oldest one. */
  first(): BusTrouble | undefined;
}

/** The most that are remembered: there may be one for each namespace. */
const mostKept = 50;
/** A trouble is dropped after this time without a new refusal, real ms. */
const keptMs = 60_000;

export function createBusTroubles(clock: Pick<Clock, "monotonic">): BusTroubles {
  const present = new Map<string, BusTrouble & { readonly at: number }>();
  return {
    note(about, code, message) {
      if (present.has(about) || present.size < mostKept)
        present.set(about, { code, message, ...helps[code], at: clock.monotonic() });
    },
    clear: (about) => void present.delete(about),
    first() {
      for (const [about, { at }] of present) if (clock.monotonic() - at > keptMs) present.delete(about);
      return [...present.values()][0];
    },
  };
}

/** For a log or a health page: code, what happened, who can end it, and how. */
export function printBusTrouble({ code, message, owner, help }: BusTrouble): string {
  return `${code}: ${message} (${owner}); ${help}`;
}

/** Why a process is not ready because of the bus, in a sentence; undefined when it is ready. */
export function describeObstacle(bus: {
  isConnected(): boolean;
  trouble(): BusTrouble | undefined;
}): string | undefined {
  const trouble = bus.trouble();
  if (trouble !== undefined) return printBusTrouble(trouble);
  return bus.isConnected() ? undefined : "the bus does not answer";
}
