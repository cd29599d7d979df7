import { openFakeBus } from "#fakes/bus";

import { openStages, type StageFlow } from "../flow/campaign/stage-bench.ts";

/** A fleet at rest, with the entries of its buckets as samples for attacks. */
export interface FuzzSetting extends StageFlow {
  readonly pull: number;
  /** Real keys and values of the bus. */
  readonly samples: readonly {
    readonly bucket: "control" | "status" | "inventory";
    readonly key: string;
    readonly value: string;
  }[];
}

const buckets = ["control", "status", "inventory"] as const;

/** A campaign whose first stage waits for an approval: nothing may move before ben approves it. */
export async function openSetting(): Promise<FuzzSetting> {
  const stages = await openStages();
  const { number } = await stages.untilOpen("meshroll/shop/half");
  await stages.flow.pass(31_000);
  const samples: FuzzSetting["samples"][number][] = [];
  for (const bucket of buckets) {
    const stop = new AbortController();
    const watcher = {
      onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
        if (value !== undefined) samples.push({ bucket, key, value });
      },
      onReady: () => undefined,
      onReset: () => undefined,
    };
    await openFakeBus(stages.flow.bus).bucket(bucket).watch(">", watcher, stop.signal);
    await stages.flow.pass(0);
    stop.abort();
  }
  return { ...stages, pull: number, samples };
}
