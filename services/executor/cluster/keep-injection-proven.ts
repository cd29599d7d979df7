import type { Cluster } from "#libs/kube";
import { lookUp } from "#libs/input";
import type { RepositorySnapshots } from "#libs/repository";
import type { Clock, Logger } from "#libs/runtime";

export interface InjectionProving {
  readonly cluster: Pick<Cluster, "name" | "view" | "proveInjection" | "locateControlPlane">;
  readonly repositorySnapshots: Pick<RepositorySnapshots, "view">;
  /** Only what may move is proven: a dry run needs the right to create pods. */
  readonly mode: "observe" | "act";
  readonly clock: Clock;
  readonly log: Logger;
}

/** A proof is made again when it is so old, real ms. */
const proofMs = 20_000;
/**
 * Real ms between two looks at the proofs. A batch makes its own before each patch, and one that fails there is retried as soon as
 * one that failed here: nothing is handed out before that.
 */
const lookEveryMs = 2_000;

/** Main's newest files that parse say where the control planes run; while there are none, the last word holds. */
function locate({ cluster, repositorySnapshots }: InjectionProving): void {
  const view = repositorySnapshots.view();
  const settings = view?.specs.get(view.main.head)?.settings;
  if (settings !== undefined) cluster.locateControlPlane(lookUp(settings.controlPlanes, cluster.name) ?? {});
}

async function proveOnce(parts: InjectionProving): Promise<void> {
  locate(parts);
  if (parts.mode === "observe") return;
  const { cluster } = parts;
  const { revisions, tags } = cluster.view.facts();
  const served = revisions.filter(({ webhook }) => webhook).map(({ name }) => name);
  await cluster.proveInjection([...new Set([...served, ...Object.keys(tags)])], proofMs);
}

/** Proves of every revision and tag that new pods get its sidecar, again and again, until the signal aborts. */
export async function keepInjectionProven(parts: InjectionProving, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await proveOnce(parts).catch((error: unknown) => {
      parts.log.error({ error }, "could not prove injection: what was not proven moves nothing");
    });
    await parts.clock.sleepReal(lookEveryMs, signal).catch(() => undefined);
  }
}
