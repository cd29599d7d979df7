import type { FieldManager, Workload } from "#libs/fleet";
import { failed, makeWorkload, moved } from "#test/world/build";
import { judgeOne } from "#test/world/judge-one";
import { expect, test } from "vitest";

import { type Listing, printNotes } from "../listing.ts";
import { listDrift } from "./get-drift-rows.ts";
import type { FleetWorkloads } from "./narrow-view.ts";

const id = "c".repeat(12);

/** As an owner's manifest with the old label makes it, after our move or instead of it. */
function onOld(workload: Workload, manager: string, operation: FieldManager["operation"] = "Update"): Workload {
  const template = { ...workload.template, labels: { ...workload.template.labels, "istio.io/rev": "old" } };
  return { ...workload, template, revisionManager: { name: manager, operation } };
}

const web = makeWorkload("shop/web");

const cases = [
  {
    name: "put back by Argo CD",
    workload: onOld(moved(web, "new", id), "argocd-controller", "Apply"),
    want: ["new", "old", "Overwritten", "argocd-controller"],
    command: 'meshroll converge one:shop/Deployment/web --reason "…"',
    notes: [/^1 of 1 can/u, /^what stops argocd-controller from putting the label back: in Argo CD's/u],
  },
  {
    name: "taken back by kubectl rollout undo, which drops our annotations",
    workload: onOld(web, "kubectl"),
    want: ["new", "old", "-", "kubectl"],
    command: 'meshroll converge one:shop/Deployment/web --reason "…"',
    notes: [/^1 of 1 can/u],
  },
  {
    name: "failed: only a retry moves it",
    workload: failed(web, "new", id),
    want: ["new", "old", "ReadinessTimeout", "-"],
    command: `meshroll retry run/${id} one:shop/Deployment/web --reason "…"`,
    notes: [],
  },
  {
    name: "opted out: nothing to type",
    workload: { ...web, annotations: { "meshroll.dev/opt-out": "audit" } },
    want: ["new", "old", "OptedOut", "-"],
    command: undefined,
    notes: [],
  },
];

function list(workload: Workload, name?: string) {
  const judged = new Map([["one", [judgeOne({ workload, isDrift: true })]]]);
  return listDrift({ evaluation: { judged } } as unknown as FleetWorkloads, name);
}

test.each(cases)("get drift of a workload $name", ({ workload, want, command, notes: wantNotes }) => {
  const { rows, notes = [] } = list(workload);
  expect(rows.map(({ cells }) => cells.slice(2))).toEqual([want]);
  expect(rows.map(({ item }) => (item as { readonly command?: string }).command)).toEqual([command]);
  const lines = printNotes({ rows: [] as Listing["rows"], notes } as Listing, "human", { env: {} });
  expect(lines.filter((line) => !line.startsWith("  "))).toEqual(
    wantNotes.map((each) => expect.stringMatching(each) as unknown),
  );
});

test("a workload that a run has left where main wants it is no drift", () => {
  expect(list(makeWorkload("shop/web", {}, "new")).rows).toEqual([]);
});
