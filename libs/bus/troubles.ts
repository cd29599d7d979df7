/** What keeps a process from the bus, and goes on until a person acts. */
export type BusTroubleCode = "BusLoginRefused" | "BusRightMissing" | "BusFull" | "BusNotMade";

/** A trouble that stands, in words for people. */
export interface BusTrouble {
  readonly code: BusTroubleCode;
  /** What happened and where. */
  readonly message: string;
  /** Who can end it. */
  readonly owner: "NATS" | "planner";
  /** What to type or to change. */
  readonly help: string;
}

const helps: Readonly<Record<BusTroubleCode, Pick<BusTrouble, "owner" | "help">>> = {
  BusLoginRefused: {
    owner: "NATS",
    help: "is the password in MESHROLL_NATS_URL the server's? npm run logins makes both anew",
  },
  BusRightMissing: {
    owner: "NATS",
    help: "give the process the login of its service: npm run logins, then restart NATS and this process",
  },
  BusFull: {
    owner: "NATS",
    help: "make room: nats stream purge MESHROLL, or a larger disk or max_file_store of NATS",
  },
  BusNotMade: { owner: "planner", help: "start the planner: it makes what is absent, and no other login may" },
};

/** What stands in the way of one process, by what it wanted; a call that works ends its own. */
export interface BusTroubles {
  note(about: string, code: BusTroubleCode, message: string): void;
  clear(about: string): void;
  /** The oldest that stands. */
  first(): BusTrouble | undefined;
}

/** Keys may be as many as namespaces: what is kept of them is bounded. */
const mostKept = 50;

export function createBusTroubles(): BusTroubles {
  const standing = new Map<string, BusTrouble>();
  return {
    note(about, code, message) {
      if (standing.has(about) || standing.size < mostKept) standing.set(about, { code, message, ...helps[code] });
    },
    clear: (about) => void standing.delete(about),
    first: () => [...standing.values()][0],
  };
}

/** For a log or a health page: code, what happened, whose it is, and what to type. */
export function printBusTrouble({ code, message, owner, help }: BusTrouble): string {
  return `${code}: ${message} (${owner}); ${help}`;
}
