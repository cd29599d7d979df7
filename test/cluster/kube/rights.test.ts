import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments, stringify } from "yaml";

import { type CheckResult } from "../../../cli/doctor/check.ts";
import { checkClusters } from "../../../cli/doctor/check-clusters.ts";
import { openCluster } from "#libs/kube";
import { openClock } from "#libs/runtime";
import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { logInAsExecutor } from "../fleet/executor-login.ts";
import { createWorkloads } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { kubeModule } from "../programs/modules.ts";

const finding = { env: process.env, log: () => undefined };
const manifest = fileURLToPath(new URL("../../../deploy/chart/rights/rbac.yaml", import.meta.url));

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Role {
  readonly kind: "ClusterRole" | "Role";
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules: readonly Rule[];
}

/** One verb on one resource, in one rule of one role. */
interface Right {
  readonly role: Role;
  readonly rule: Rule;
  readonly verb: string;
  readonly resource: string;
  /** The name that doctor prints. */
  readonly name: string;
}

const documents = parseAllDocuments(readFileSync(manifest, "utf8")).map((each) => each.toJS() as Role);
const roles = documents.filter(({ kind }) => kind === "ClusterRole" || kind === "Role");

const rights: readonly Right[] = roles.flatMap((role) =>
  role.rules.flatMap((rule) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.map((verb) => {
        const [group = ""] = rule.apiGroups;
        const place = role.metadata.namespace === undefined ? "" : ` -n ${role.metadata.namespace}`;
        return { role, rule, verb, resource, name: `${verb} ${resource}${group === "" ? "" : `.${group}`}${place}` };
      }),
    ),
  ),
);

/** The rule without this verb on this resource; all its other rights stay. */
function splitRule(rule: Rule, { verb, resource }: Right): readonly Rule[] {
  const others = rule.resources.filter((each) => each !== resource);
  const verbs = rule.verbs.filter((each) => each !== verb);
  const kept = others.length === 0 ? [] : [{ ...rule, resources: others }];
  return verbs.length === 0 ? kept : [...kept, { ...rule, resources: [resource], verbs }];
}

/** All shipped roles without this one right. */
function renderWithout(without: Right | undefined): string {
  const changed = roles.map((role) => {
    if (role !== without?.role) return role;
    return {
      ...role,
      rules: role.rules.flatMap((rule) => (rule === without.rule ? splitRule(rule, without) : [rule])),
    };
  });
  return changed.map((each) => stringify(each)).join("---\n");
}

describe("each right of the executor's manifest, removed alone", () => {
  let [cluster, kubeconfig]: [OwnCluster?, string?] = [];
  const need = () => {
    if (cluster === undefined || kubeconfig === undefined) throw new Error("no cluster");
    return { cluster, kubeconfig };
  };
  const examine = async (): Promise<readonly CheckResult[]> => {
    const options = { kubeconfig: need().kubeconfig, clusters: "one" };
    return checkClusters(options, { ...process, env: {}, cwd: process.cwd() });
  };
  /**
   * Messages of failed access reviews. Omitted are the dry run of a stop, which has its own test, and the rights for labels of
   * new pods, which are in another manifest.
   */
  const listFailed = async () => {
    const others = ["MR9066", "MR9068", "MR9071"];
    const failed = (await examine()).filter(({ state, code }) => state !== "ok" && !others.includes(code));
    return failed.map(({ message }) => message);
  };
  /** The API server applies changed roles a moment later. */
  const until = async (isTrue: (failed: readonly string[]) => boolean): Promise<readonly string[]> => {
    const end = performance.now() + 10_000;
    for (;;) {
      const failed = await listFailed();
      if (isTrue(failed) || performance.now() > end) return failed;
    }
  };

  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    cluster.kubectl(["create", "namespace", "istio-system"]);
    kubeconfig = logInAsExecutor(cluster);
    createWorkloads(cluster, { shop: {} }, [{ namespace: "shop", name: "web" }]);
  });
  afterAll(async () => cluster?.end());

  it("doctor finds nothing missing while all rights are granted", async () => {
    expect(await until((failed) => failed.length === 0)).toEqual([]);
    expect(rights.length).toBeGreaterThan(20);
  });

  it.each(rights)("$name: doctor names it, and nothing else", async (right) => {
    need().cluster.kubectl(["apply", "-f", "-"], renderWithout(right));
    const failed = await until((all) => all.length === 1 && all[0]?.includes(right.name) === true);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain(`: ${right.name}`);
  });

  it("without the right to create ConfigMaps the stop that doctor tries as a dry run is refused too", async () => {
    need().cluster.kubectl(
      ["apply", "-f", "-"],
      renderWithout(rights.find(({ name }) => name.startsWith("create configmaps"))),
    );
    await until((failed) => failed.length === 1);
    const stop = (await examine()).find(({ code }) => code === "MR9066");
    expect(stop).toMatchObject({
      state: "failed",
      message: expect.stringMatching(/cannot be placed: .*is forbidden/u),
    });
  });

  it("finds nothing missing after all rights are restored", async () => {
    need().cluster.kubectl(["apply", "-f", "-"], renderWithout(undefined));
    expect(await until((failed) => failed.length === 0)).toEqual([]);
  });

  const writes: readonly { readonly name: string; readonly without: string }[] = [
    { name: "a move", without: "patch deployments.apps" },
    { name: "a move of an Argo Rollout", without: "patch rollouts.argoproj.io" },
    { name: "a move of a group of VMs", without: "patch workloadgroups.networking.istio.io" },
    { name: "an Event", without: "create events.events.k8s.io" },
    { name: "a recorded stop", without: "patch configmaps -n meshroll-system" },
  ];

  it.each(writes)("$name is refused, with the API server's message, without: $without", async ({ name, without }) => {
    const bed = need();
    const adapter = openCluster({ name: "one", kubeconfig: { path: bed.kubeconfig }, clock: openClock(undefined) });
    const ref = { namespace: "shop", kind: "Deployment", name: "web" } as const;
    const group = { namespace: "shop", kind: "WorkloadGroup", name: "tills" } as const;
    const roll = { namespace: "shop", kind: "Rollout", name: "web" } as const;
    const event = { ref, uid: "u", id: without, type: "Normal", reason: "A", action: "B", note: "c", at: 0 } as const;
    const send = async () => {
      if (name === "a move of a group of VMs") return adapter.patchWorkload(group, { resourceVersion: "1" });
      if (name === "a move of an Argo Rollout") return adapter.patchWorkload(roll, { resourceVersion: "1" });
      if (name === "a move") return adapter.patchWorkload(ref, { resourceVersion: "1" });
      return name === "an Event" ? adapter.recordEvent(event) : adapter.recordStops({ a: "{}" });
    };
    bed.cluster.kubectl(["apply", "-f", "-"], renderWithout(rights.find((right) => right.name === without)));
    await until((failed) => failed.length === 1);
    expect(await send()).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/is forbidden: .*meshroll-executor/u),
    });
    bed.cluster.kubectl(["apply", "-f", "-"], renderWithout(undefined));
    await until((failed) => failed.length === 0);
    expect((await send()).kind).not.toBe("refused");
  });
});
