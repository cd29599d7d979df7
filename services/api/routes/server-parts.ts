import type { Logger, Vitals } from "#libs/runtime";

import type { EventHub } from "../events/event-hub.ts";
import type { PageFiles } from "../page/read-page.ts";
import type { HistoryView } from "../status/follow-history.ts";
import type { NamespacesView } from "../status/follow-namespaces.ts";
import type { PicturesView } from "../status/follow-pictures.ts";
import type { RunsView } from "../status/follow-runs.ts";
import type { StatusView } from "../status/follow-status.ts";
import type { Hint } from "../hints/hint.ts";
import type { VmParts } from "../vms/vm-registry.ts";

/** What the routes need. */
export interface ServerParts {
  readonly log: Logger;
  readonly vitals: Vitals;
  readonly isBusConnected: () => boolean;
  /** Why the bus is not usable, in a sentence; undefined when it is. */
  readonly findObstacle: () => string | undefined;
  readonly status: StatusView;
  readonly namespaces: NamespacesView;
  readonly history: HistoryView;
  readonly pictures: PicturesView;
  readonly runs: RunsView;
  readonly hub: EventHub;
  /** `off`: switched off by a person; undefined: not built. */
  readonly page: PageFiles | "off" | undefined;
  /** Sends a hint to the planner, without waiting. */
  readonly hint: (hint: Hint) => void;
  /** Host names for browsers, besides addresses and those of a cluster. */
  readonly names: ReadonlySet<string>;
  /** The protected branch. */
  readonly branch: string;
  /** Secrets of webhooks, the newest first; empty: none are accepted. */
  readonly webhookSecrets: readonly string[];
  /** Undefined: VMs cannot register. */
  readonly vms: VmParts | undefined;
  /** Epoch ms. */
  readonly now: () => number;
}
