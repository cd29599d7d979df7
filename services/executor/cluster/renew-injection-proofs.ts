import type { Cluster } from "#libs/kube";
import { lookUp } from "#libs/input";
import type { RepositorySnapshots } from "#libs/repository";
import type { Clock, Logger } from "#libs/runtime";

export interface InjectionParts {
  readonly cluster: Pick<Cluster, "name" | "view" | "proveInjection" | "locateControlPlane">;
  readonly repositorySnapshots: Pick<RepositorySnapshots, "view">;
  /** In `observe` nothing is proven: the dry run needs the right to create pods. */
  readonly mode: "observe" | "act";
  readonly clock: Clock;
  readonly log: Logger;
}

/** A proof is made again when it is older, real ms. */
const proofMs = 20_000;
/**
 * How often the age of the proofs is checked, real ms. A batch makes its own proof before each patch; this loop retries one
 * that failed, because no batch is handed out until it succeeds.
 */
const checkEveryMs = 2_000;

/**
 * Tells the cluster where its control planes run, as main's newest files say; while these do not parse, the last location
 * stays.
 */
function locate({ cluster, repositorySnapshots }: InjectionParts): void {
  const view = repositorySnapshots.view();
  const settings = view?.specs.get(view.main.head)?.settings;
  if (settings !== undefined) cluster.locateControlPlane(lookUp(settings.controlPlanes, cluster.name) ?? {});
}

async function proveOnce(parts: InjectionParts): Promise<void> {
  locate(parts);
  if (parts.mode === "observe") return;
  const { cluster } = parts;
  const { revisions, tags } = cluster.view.facts();
  const served = revisions.filter(({ webhook }) => webhook).map(({ name }) => name);
  await cluster.proveInjection([...new Set([...served, ...Object.keys(tags)])], proofMs);
}

/** Proves by dry run, for every revision and tag, that a new pod gets its sidecar. Repeats until the signal aborts. */
export async function renewInjectionProofs(parts: InjectionParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await proveOnce(parts).catch((error: unknown) => {
      parts.log.error({ error }, "could not prove injection: what was not proven moves nothing");
    });
    await parts.clock.sleepReal(checkEveryMs, signal).catch(() => undefined);
  }
}
