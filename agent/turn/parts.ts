import type { ArtifactStore, Found, Trust, Wanted } from "#libs/artifact";

import type { Rules } from "../decide/facts.ts";
import type { Disk } from "../disk/port.ts";
import type { Proxies } from "../proxy/port.ts";
import type { RulesProgram } from "../proxy/rules.ts";
import type { Reporter } from "../report/report.ts";
import type { Places } from "../slots/places.ts";
import type { TagSource } from "../tag/port.ts";

export interface Settings extends Rules {
  /** As `linux-x64`. */
  readonly platform: string;
  /** Ms between two looks into the store, on average. */
  readonly pollMs: number;
  /** Ms for which a store may delay one turn; the rest is fetched in the next one. */
  readonly storeMs: number;
}

/** Everything outside that the agent uses. */
export interface Parts {
  readonly disk: Disk;
  readonly places: Places;
  readonly store: ArtifactStore;
  /** The store's offer for a revision, checked against the trusted metadata. */
  readonly findOffer: (before: Trust, wanted: Wanted, signal?: AbortSignal) => Promise<Found>;
  readonly tag: TagSource;
  readonly proxies: Proxies;
  readonly rules: RulesProgram;
  /** Whether `host:port` accepts connections. */
  readonly answers: (address: string) => Promise<boolean>;
  readonly reporter: Reporter;
  readonly now: () => number;
  readonly monotonic: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** The id of this boot of the machine. */
  readonly boot: string;
  readonly settings: Settings;
  /** For problems that people must know of although the agent continues. */
  readonly warn: (fact: object, message: string) => void;
}
