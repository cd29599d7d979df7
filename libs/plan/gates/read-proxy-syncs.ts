import { settingsOf } from "../run-settings.ts";
import type { RunView } from "../run-view.ts";
import type { Spec, World } from "../world.ts";
import { setGateScene } from "./gate-scene.ts";
import { measureProxySync } from "./read-proxy-sync.ts";
import { nameSamples } from "./samples.ts";

/** What a proxySync gate would measure now: whoever remembers it knows since when it is too low. */
export interface ProxySync {
  /** `<run id>/<gate name>`: where its samples are found. */
  readonly key: string;
  /** 0..1; absent = nobody is connected. */
  readonly ratio: number | undefined;
  readonly limit: number;
}

/** What the istiods of all open runs say, once every cluster of theirs is seen. */
export function readProxySyncs(world: World, head: Spec, views: readonly RunView[]): readonly ProxySync[] {
  const { ledger } = world;
  if (ledger === undefined) return [];
  return views.flatMap((view) =>
    settingsOf(head, view.run).gates.flatMap((gate) => {
      if (gate.kind !== "proxySync" || view.run.state !== "open") return [];
      const scene = setGateScene(world, ledger, head, view, "during", gate);
      if (scene.unseen.length > 0) return [];
      const { ratio } = measureProxySync(scene);
      return [{ key: nameSamples(view.run.id, gate.name), ratio, limit: gate.minSyncedRatio }];
    }),
  );
}
