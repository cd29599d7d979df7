import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { openOwnerTools, type OwnerTool, type OwnerToolName, type Said } from "../fleet/owner-tools.ts";
import { readInjected } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settings = "defaults:\n  batch: { batchSize: 100, delayBetweenBatches: 0s, readinessTimeout: 60s }\n";
const image = (tag: number) => `registry.example/app:${tag}`;

/** What an owner does after the move of a Deployment that has this name; `earlier`: before it, in the same run. */
type Act = "earlier" | "old" | "dropped" | "same" | "never" | "rollback" | "forced";

/** What became of it: the label, the image's tag, what was injected, and who is told to have put it back. */
interface Ends {
  readonly said: "taken" | "refused";
  readonly label: string;
  readonly tag: number;
  readonly injected: string;
  readonly by?: string | undefined;
}

const moved = { label: after, injected: after } as const;
const putBack = { said: "taken", label: before, injected: before } as const;

/** Tools that compare with what they deployed before, on the client: they put back, or take away, what meshroll wrote. */
const byClient = (by: string): Readonly<Partial<Record<Act, Ends>>> => ({
  earlier: { said: "taken", ...moved, tag: 2 },
  old: { ...putBack, tag: 3, by },
  dropped: { said: "taken", label: "", tag: 3, injected: "none", by },
  same: { said: "taken", ...moved, tag: 3 },
  never: { said: "taken", ...moved, tag: 3 },
});

/** Tools that apply on the server: what meshroll wrote is a conflict for them, unless they leave it out or want the same. */
const byServer = (by: string): Readonly<Partial<Record<Act, Ends>>> => ({
  earlier: { said: "taken", ...moved, tag: 2 },
  old: { said: "refused", ...moved, tag: 1 },
  dropped: { said: "taken", ...moved, tag: 3 },
  same: { said: "taken", ...moved, tag: 3 },
  never: { said: "taken", ...moved, tag: 3 },
  forced: { ...putBack, tag: 3, by },
});

const ends: Readonly<Record<OwnerToolName, Readonly<Partial<Record<Act, Ends>>>>> = {
  helm3: { ...byClient("helm"), rollback: { ...putBack, tag: 1, by: "helm" } },
  helm4Client: { ...byClient("helm"), rollback: { ...putBack, tag: 1, by: "helm" } },
  helm4: { ...byServer("helm"), rollback: { said: "refused", ...moved, tag: 2 } },
  apply: byClient("kubectl-client-side-apply"),
  applyServer: byServer("kubectl"),
};

const tools = Object.keys(ends) as readonly OwnerToolName[];
const places = tools.flatMap((tool) =>
  Object.entries(ends[tool]).map(([name, want]) => ({ tool, namespace: tool.toLowerCase(), name: name as Act, want })),
);
type Place = (typeof places)[number];

const nothing: Said = { ok: true, text: "" };

/** The owner's act after the move. */
function act({ tool, namespace, name }: Place, own: Readonly<Record<OwnerToolName, OwnerTool>>): Said {
  const wanted = { namespace, name, image: image(3) };
  switch (name) {
    case "earlier":
      return nothing;
    case "old":
      return own[tool].deploy({ ...wanted, revision: before });
    case "forced":
      return own[tool].force({ ...wanted, revision: before });
    case "same":
      return own[tool].deploy({ ...wanted, revision: after });
    case "dropped":
    case "never":
      return own[tool].deploy(wanted);
    case "rollback":
      return own[tool].rollback?.(wanted) ?? nothing;
  }
}

/** Deploys the first version of each; where no manifest names the label, something else sets it. */
function deployFirst(bed: OwnCluster, own: Readonly<Record<OwnerToolName, OwnerTool>>): void {
  const label = JSON.stringify({ spec: { template: { metadata: { labels: { "istio.io/rev": before } } } } });
  for (const { tool, namespace, name } of places) {
    const revision = name === "never" ? undefined : before;
    own[tool].deploy({ namespace, name, image: image(1), revision });
    if (name === "rollback") own[tool].deploy({ namespace, name, image: image(2), revision });
    const patch = ["patch", "deployment", name, "--field-manager=platform", "--type=merge", "-p", label];
    if (name === "never") bed.kubectl(["-n", namespace, ...patch]);
  }
  const ready = ["wait", "deployments", "--all", "--for=condition=Available", "--timeout=60s"];
  for (const tool of tools) bed.kubectl(["-n", tool.toLowerCase(), ...ready]);
}

interface Drifted {
  readonly workload: string;
  readonly reason?: string;
  readonly manager?: string;
}

describe("owners who deploy with Helm 3, Helm 4 and kubectl, on a real API server with two real istiods", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  const said = new Map<string, Said>();
  const bed = (): OwnCluster => {
    if (cluster === undefined) throw new Error("no cluster");
    return cluster;
  };
  const ask = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(args, { env: fleet?.env ?? {}, cwd: fleet?.folder ?? "" });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const listDrift = async () => {
    const { items } = JSON.parse(await ask("get", "drift", "-o", "json")) as { items: readonly Drifted[] };
    return new Map(items.map((each) => [each.workload, each]));
  };
  const read = ({ namespace, name }: Place, path: string) =>
    bed().kubectl(["-n", namespace, "get", "deployment", name, "-o", `jsonpath={${path}}`]);
  const readLabel = (place: Place) => read(place, ".spec.template.metadata.labels.istio\\.io/rev");
  const expected = places.filter(({ want }) => want.by !== undefined);

  beforeAll(async () => {
    const programs = await findPrograms(kubeModule, finding);
    cluster = await startCluster(programs);
    await startMesh(bed(), await findPrograms(istioModule, finding), [before, after]);
    const own = await openOwnerTools(bed(), programs);
    for (const tool of tools) bed().kubectl(["create", "namespace", tool.toLowerCase()]);
    deployFirst(bed(), own);
    fleet = await ClusterFleet.open(bed(), { "rollouts.yml": file(before), "meshroll.yml": settings });
    await ask("pause", "all", "--reason", "owners first");
    await fleet.merge({ "rollouts.yml": file(after) });
    await fleet.until("there is a run", async () => ((await fleet?.status())?.runs.length ?? 0) > 0);
    for (const tool of tools)
      own[tool].deploy({ namespace: tool.toLowerCase(), name: "earlier", image: image(2), revision: before });
    await ask("resume", "all", "--reason", "go");
    const run = await fleet.untilRunEnds();
    expect([run.outcome?.migrated, run.outcome?.skipped]).toEqual([places.length, []]);
    for (const place of places) said.set(`${place.tool}/${place.name}`, act(place, own));
    await fleet.until("what was put back is seen", async () => {
      return ((await fleet?.status())?.putBack?.workloads ?? 0) === expected.length;
    });
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  it.each(places)("$tool $name: $want.said, label $want.label", async (place) => {
    const { tool, namespace, name, want } = place;
    const answer = said.get(`${tool}/${name}`);
    await fleet?.until("its pods are there", () => readInjected(bed(), place) === want.injected);
    const found = (await listDrift()).get(`${namespace}/Deployment/${name}`);
    const tag = read(place, ".spec.template.spec.containers[0].image").split(":")[1];
    expect([readLabel(place), Number(tag), found?.reason, found?.manager]).toEqual([
      want.label,
      want.tag,
      want.by === undefined ? undefined : "Overwritten",
      want.by,
    ]);
    const refusal = /conflict with "meshroll" using apps\/v1: \.spec\.template\.metadata\.labels\.istio\.io\/rev/u;
    const isRefused = answer?.ok === false && refusal.test(answer.text);
    expect([answer?.ok, isRefused]).toEqual([want.said === "taken", want.said === "refused"]);
  });

  it("who took the label away has no sidecar, and status names the command that brings it back", async () => {
    const problems = (await fleet?.status())?.clusters[0]?.problems ?? [];
    const bare = problems.filter((each) => each.startsWith("NoSidecar"));
    expect(bare).toEqual([expect.stringMatching(/^NoSidecar: 3 workloads .*took the label away.*meshroll converge /u)]);
  });

  it("converge brings all of them back, also those whose label is gone", async () => {
    await ask("converge", "all", "-y", "--reason", "owners deployed");
    const run = await fleet?.untilRunEnds(2);
    expect([run?.outcome?.migrated, run?.outcome?.skipped]).toEqual([expected.length, []]);
    expect(places.map((place) => `${readLabel(place)} ${readInjected(bed(), place)}`)).toEqual(
      places.map(() => `${after} ${after}`),
    );
  });
});
