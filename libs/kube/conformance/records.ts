import { expect, it } from "vitest";

import { type Bench, printPods, useBench } from "./bench.ts";

const OLD = "1-29";
const NEW = "1-31";

/** Writes of annotations that move nothing. */
export function describeRecords(make: () => Promise<Bench>): void {
  const bench = useBench(make);

  it("a record has a field manager of its own: when we last moved the workload stays readable", async () => {
    for (const revision of [OLD, NEW]) bench.ground.addIstiod(revision);
    const ref = bench.ground.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": OLD } });
    await bench.start();
    const annotations = { "meshroll.dev/run": `0123456789ab ${NEW}` };
    await bench.cluster.patchWorkload(ref, { ...bench.relabel(ref, NEW), annotations });
    bench.advance(60_000);
    await bench.until(() => bench.see(ref)?.updated === 1 && printPods(bench.see(ref)) === "1-31:1/1");
    const moved = bench.see(ref);
    const record = { isRecord: true, annotations: { "meshroll.dev/arrived": "0123456789ab" } } as const;
    await bench.cluster.patchWorkload(ref, { resourceVersion: moved?.resourceVersion ?? "", ...record });
    await bench.until(() => bench.see(ref)?.annotations["meshroll.dev/arrived"] !== undefined);
    expect(bench.see(ref)).toMatchObject({ generation: 2, annotations, times: { written: moved?.times?.written } });
    expect(bench.see(ref)?.times?.deployed).toBe(moved?.times?.deployed);
    expect(bench.ground.writes.map(({ fieldManager }) => fieldManager)).toEqual(["meshroll", "meshroll-record"]);
  });
}
