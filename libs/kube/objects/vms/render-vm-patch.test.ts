import { expect, it } from "vitest";

import type { Change } from "../../port.ts";
import { renderVmPatch } from "./render-vm-patch.ts";

const cases: Readonly<Record<string, readonly [change: Omit<Change, "resourceVersion">, want: object | undefined]>> = {
  "nothing is nothing": [{}, undefined],
  "annotations stay what they are": [{ annotations: { a: "1", b: null } }, { a: "1", b: null }],
  "the template's revision is an annotation": [
    { template: { labels: { "istio.io/rev": "1-31" } } },
    { "meshroll.dev/revision": "1-31" },
  ],
  "one that is taken away is, too": [
    { template: { labels: { "istio.io/rev": null } } },
    { "meshroll.dev/revision": null },
  ],
  "a restart is an annotation next to the others": [
    { annotations: { "meshroll.dev/run": "r" }, template: { annotations: { "meshroll.dev/restarted-for": "1-31#2" } } },
    { "meshroll.dev/run": "r", "meshroll.dev/restarted-for": "1-31#2" },
  ],
};

it.each(Object.entries(cases))("%s", (_, [change, want]) => {
  const metadata = { resourceVersion: "7", ...(want === undefined ? {} : { annotations: want }) };
  expect(renderVmPatch({ resourceVersion: "7", ...change })).toEqual({ metadata });
});
