import { describe, expect, it } from "vitest";

import { type Bench, useBench } from "./bench.ts";

const [OLD, NEW] = ["1-29", "1-31"];
const LABELS = { "istio.io/rev": OLD };

/** Watches that stay open without sending anything. */
export function describeStalls(make: () => Promise<Bench>): void {
  const bench = useBench(make);

  function readRevisions(): Readonly<Record<string, string | undefined>> {
    const workloads = [...bench.cluster.view.namespaces.values()].flatMap((each) => each.workloads);
    return Object.fromEntries(workloads.map(({ name, template }) => [name, template.labels["istio.io/rev"]]));
  }

  describe("a watch that stalls without closing", () => {
    it("is closed: additions, changes and deletions meanwhile are seen, and so are later changes", async () => {
      const web = bench.ground.addDeployment({ ns: "shop", name: "web", labels: LABELS });
      const gone = bench.ground.addDeployment({ ns: "shop", name: "gone", labels: LABELS });
      await bench.start();
      bench.ground.faults.stallWatches();
      bench.ground.ownerApply(web, { templateLabels: { "istio.io/rev": NEW } });
      bench.ground.deleteWorkload(gone);
      bench.ground.addDeployment({ ns: "shop", name: "late", labels: LABELS });
      expect(readRevisions()).toEqual({ gone: OLD, web: OLD });

      bench.passSilence();
      await bench.until(() => "late" in readRevisions() && !("gone" in readRevisions()));
      await bench.until(() => bench.see(web)?.template.labels["istio.io/rev"] === NEW);
      expect(readRevisions()).toEqual({ late: OLD, web: NEW });

      bench.ground.ownerApply(web, { templateLabels: { "istio.io/rev": OLD } });
      await bench.until(() => bench.see(web)?.template.labels["istio.io/rev"] === OLD);
    });

    it("is closed each time it stalls again, and the view continues by itself", async () => {
      const web = bench.ground.addDeployment({ ns: "shop", name: "web", labels: LABELS });
      await bench.start();
      for (const revision of [NEW, OLD]) {
        bench.ground.faults.stallWatches();
        bench.ground.ownerApply(web, { templateLabels: { "istio.io/rev": revision } });
        bench.passSilence();
        await bench.until(() => readRevisions()["web"] === revision);
      }
      expect(readRevisions()).toEqual({ web: OLD });
    });
  });
}
