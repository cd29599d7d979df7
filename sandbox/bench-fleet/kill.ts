import { addApps, printRollouts, printSettings } from "./files.ts";
import { type Patch, startRig, until } from "./rig.ts";

/** The number of patches after which the executor with the batch is killed. */
const killAtPatch = 3;

/**
 * Two executors serve a cluster; the one with the batch is killed by SIGKILL. Returns real ms until the other one's first
 * patch.
 */
export async function measureKill(): Promise<number> {
  const rig = await startRig({
    clusters: ["one"],
    factor: 10,
    executors: ["a", "b"],
    fill: (model) => addApps(model, 300, 2000),
    files: { "rollouts.yml": printRollouts(0), "meshroll.yml": printSettings("batchSize: 100") },
  });
  try {
    const executors = new Map(["a", "b"].map((login) => [login, rig.startExecutor(login)]));
    rig.start("planner", { MESHROLL_GIT_POLL_SECONDS: "0.5" });
    let killed: Patch | undefined;
    const next = Promise.withResolvers<Patch>();
    rig.onPatch((patch) => {
      if (rig.patches.length === killAtPatch) {
        executors.get(patch.user)?.signal("SIGKILL");
        killed = patch;
      } else if (killed !== undefined && patch.user !== killed.user) next.resolve(patch);
    });
    await until("both executors are there", async () => (await rig.bus.bucket("inventory").get("one._")) !== undefined);
    await rig.merge({ "rollouts.yml": printRollouts(100) });
    const { at } = await next.promise;
    return at - (killed?.at ?? 0);
  } finally {
    await rig.stop();
  }
}
