import type { LedgerState, Spec } from "../records/index.ts";
import { listOtherCampaigns } from "../main/index.ts";
import { printStopCause } from "#libs/wording";
import type { ActiveStop } from "./active-stop.ts";

/** Main's files that decide about stops of runs: those of its head, and of the commits of open runs. */
export interface MainFiles {
  readonly head: Spec;
  readonly specs: ReadonlyMap<string, Spec>;
}

/**
 * A pause, in the name of its author, of each open run that moves another campaign's bucket: the rules of neither campaign
 * would suit all of it.
 */
export function listSharedStops(ledger: LedgerState | undefined, { head, specs }: MainFiles): readonly ActiveStop[] {
  return Object.values(ledger?.runs ?? {}).flatMap((run) => {
    const others = run.state === "open" ? listOtherCampaigns(run, head, specs) : [];
    if (others.length === 0) return [];
    const campaigns = [...(run.campaign === undefined ? [] : [run.campaign]), ...others].toSorted();
    const why = printStopCause({ code: "SeveralCampaigns", campaigns });
    const [id, scope] = [`shared-${run.id}`, `run/${run.id}`] as const;
    return [{ id, scope, strength: "move", who: run.author, why, at: "", from: "main", campaigns }];
  });
}
