import type { StopScope } from "#libs/input";
import type { StopRecord } from "../records/index.ts";
import type { Reason, StopWords } from "#libs/wording";

/** The stop as a reason. A run that sets buckets of several campaigns has a code of its own. */
export function nameStop(stop: StopWords): Reason {
  return { code: stop.campaigns === undefined ? "Stopped" : "SeveralCampaigns", stop };
}

/** A stop in force, from any place; the most restrictive of ledger, KV, ConfigMaps and main counts. */
export interface ActiveStop {
  readonly id: string;
  readonly scope: StopScope;
  readonly strength: "propose" | "move";
  readonly who: string;
  readonly why: string;
  readonly at: string;
  /** `main`: a campaign's file has errors, or a run moves buckets of several campaigns. */
  readonly from: "ledger" | "control" | "cluster" | "main";
  readonly until?: string;
  /** For a rollback of `run/<id>`: the commit to which its buckets are rolled back; at once with `now` (rules 2.4). */
  readonly revertTo?: string;
  readonly now?: true;
  /** A rollback's hold binds forward runs only (rules 2.2): the run that placed it. */
  readonly rollbackOf?: string;
  /** Found in that cluster's ConfigMap: it holds only there, and holds no proposal. */
  readonly foundIn?: string;
  /** Its cause, where the ledger has it. */
  readonly cause?: StopRecord["cause"];
  /** For a stop from main: the file to be corrected. */
  readonly file?: string;
  /** For a stop from main on a run: the campaigns whose buckets it moves. A rollback ends it. */
  readonly campaigns?: readonly string[];
}
