import { parseAllDocuments } from "yaml";

import { runCli } from "#test/run-cli";
import type { describeSail, RunRecord } from "#libs/plan";

import { type AuditEntry, type OwnCluster, readAudit, startCluster } from "../../bed/start-cluster.ts";
import { ClusterFleet } from "../../fleet/cluster-fleet.ts";
import { findPrograms } from "../../programs/find-programs.ts";
import { istioModule, kubeModule } from "../../programs/modules.ts";
import { type OwnMesh, startMesh } from "../start-mesh.ts";

/** What Sail's proposal has in `status.workloadMigration`. */
export type Migration = ReturnType<typeof describeSail>[number]["status"]["workloadMigration"];

/** Two old revisions and the new one, whose name is the version that its istiod tells. */
export const [older, old, target] = ["1-29-2", "1-30-1", "1-31-0"];

/** A failure ends nothing here: Sail goes on, and the gate that is built in would stop the run. */
const settingsOf = (batch: string, bake = "0s"): string =>
  [
    "defaults:",
    `  batch: { ${batch}, failurePolicy: ContinueOnError }`,
    `  bake: ${bake}`,
    "  gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]",
    "",
  ].join("\n");

/** A control plane with three istiods that the scenarios of a file share. Each scenario has namespaces whose names begin with its own. */
export class SailBed {
  readonly cluster: OwnCluster;
  readonly mesh: OwnMesh;
  readonly fleet: ClusterFleet;
  /** The revision of each scenario's bucket. */
  readonly #buckets = new Map<string, string>();
  /** The merge that the present scenario began with. */
  #commit = "";

  private constructor(cluster: OwnCluster, mesh: OwnMesh, fleet: ClusterFleet) {
    this.cluster = cluster;
    this.mesh = mesh;
    this.fleet = fleet;
  }

  static async open(): Promise<SailBed> {
    const finding = { env: process.env, log: () => undefined };
    const cluster = await startCluster(await findPrograms(kubeModule, finding));
    const mesh = await startMesh(cluster, await findPrograms(istioModule, finding), [older, old, target]);
    mesh.setTag("default", old);
    mesh.setTag("prod", old);
    const files = { "rollouts.yml": `production:\n  ${old}: 100\n`, "meshroll.yml": settingsOf("batchSize: 5") };
    return new SailBed(cluster, mesh, await ClusterFleet.open(cluster, files));
  }

  #renderRollouts(): string {
    const buckets = [...this.#buckets].map(([name, revision]) => `${name}-.*:\n  ${revision}: 100\n`);
    return [...buckets, `production:\n  ${old}: 100\n`].join("");
  }

  /** Merges a bucket for the scenario's namespaces, which changes no revision, and further files. */
  async declare(scenario: string, more: Readonly<Record<string, string>>): Promise<void> {
    this.#buckets.set(scenario, old);
    await this.fleet.merge({ "rollouts.yml": this.#renderRollouts(), ...more });
  }

  /** Merges that the scenario's namespaces shall run the target, in such batches. */
  async begin(scenario: string, batch: string, bake?: string): Promise<void> {
    this.#buckets.set(scenario, target);
    const files = { "rollouts.yml": this.#renderRollouts(), "meshroll.yml": settingsOf(batch, bake) };
    this.#commit = await this.fleet.merge(files);
  }

  /** The run that the scenario began, when it has ended. */
  async end(): Promise<RunRecord> {
    return this.fleet.untilRunOf(this.#commit);
  }

  async move(scenario: string, batch: string, bake?: string): Promise<RunRecord> {
    await this.begin(scenario, batch, bake);
    return this.end();
  }

  /** `status.workloadMigration` as `meshroll status -o sail` prints it. */
  async readMigration(): Promise<Migration> {
    const { env, folder } = this.fleet;
    const { code, stdout, stderr } = await runCli(["status", "-o", "sail"], { env, cwd: folder });
    if (code !== 0) throw new Error(stderr);
    const [document] = parseAllDocuments(stdout);
    if (document === undefined) throw new Error("status printed no cluster");
    const { status } = document.toJS() as { readonly status: { readonly workloadMigration: Migration } };
    return status.workloadMigration;
  }

  /** The executor's accepted writes in namespaces of a scenario, without those that record an arrival; oldest first. */
  listWrites(scenario: string): readonly AuditEntry[] {
    return readAudit(this.cluster).filter(
      ({ user, verb, responseStatus, requestURI, objectRef }) =>
        user.username.endsWith(":meshroll-executor") &&
        verb === "patch" &&
        responseStatus?.code === 200 &&
        !requestURI.includes("fieldManager=meshroll-record") &&
        objectRef?.namespace?.startsWith(`${scenario}-`) === true &&
        objectRef.resource !== "configmaps",
    );
  }

  async close(): Promise<void> {
    await this.fleet.close();
    await this.cluster.end();
  }
}
