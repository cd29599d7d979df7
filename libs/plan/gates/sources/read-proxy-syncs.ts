import { settingsOf } from "../../main/index.ts";
import type { RunView } from "../../index/index.ts";
import type { Snapshot, Spec } from "../../records/index.ts";
import { buildGateContext } from "../gate-context.ts";
import { measureProxySync } from "./evaluate-proxy-sync.ts";
import { nameSamples } from "./samples-key.ts";

/** The present measurement of a proxySync gate, for the memory of since when it is too low. */
export interface ProxySync {
  /** `<run id>/<gate name>`: the key of its samples. */
  readonly key: string;
  /** 0..1; absent = no proxy is connected. */
  readonly ratio: number | undefined;
  readonly limit: number;
}

/** The measurements of all open runs, once every cluster of theirs is seen. */
export function readProxySyncs(snapshot: Snapshot, head: Spec, views: readonly RunView[]): readonly ProxySync[] {
  const { ledger } = snapshot;
  if (ledger === undefined) return [];
  return views.flatMap((view) =>
    settingsOf(head, view.run).gates.flatMap((gate) => {
      if (gate.kind !== "proxySync" || view.run.state !== "open") return [];
      const context = buildGateContext(snapshot, ledger, head, view, "during", gate);
      if (context.unseen.length > 0) return [];
      const { ratio } = measureProxySync(context);
      return [{ key: nameSamples(view.run.id, gate.name), ratio, limit: gate.minSyncedRatio }];
    }),
  );
}
