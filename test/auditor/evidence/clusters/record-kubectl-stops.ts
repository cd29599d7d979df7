import type { KubeModel } from "#fakes/kube";

import type { KubectlStop } from "../evidence.ts";
import { listObjects, type RawObject } from "./read-objects.ts";

const maps = "/api/v1/configmaps";

function isStop({ metadata }: RawObject): boolean {
  return metadata.namespace === "meshroll-system" && metadata.name === "meshroll-stop";
}

/** Records when a cluster was stopped by kubectl, from now on. */
export function recordKubectlStops(model: KubeModel): {
  readonly take: () => readonly KubectlStop[];
  readonly stop: () => void;
} {
  const ended: KubectlStop[] = [];
  let since = listObjects(model, maps).some(isStop) ? model.clock.now() : undefined;
  const { metadata } = model.api.bookmark(maps).object as RawObject;
  const stop = model.api.watch(maps, metadata.resourceVersion, ({ type, object }) => {
    if (!isStop(object as RawObject)) return;
    if (type !== "DELETED") since ??= model.clock.now();
    else if (since !== undefined) {
      ended.push({ at: since, resumedAt: model.clock.now() });
      since = undefined;
    }
  });
  return { take: () => [...ended, ...(since === undefined ? [] : [{ at: since }])], stop };
}
