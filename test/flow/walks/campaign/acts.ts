import { breakCampaign, copyFile } from "./break-campaign.ts";
import { checkBreak } from "./judge-breaks.ts";
import type { CampaignStep } from "./steps.ts";
import type { CampaignWalk } from "../campaign-walk.ts";
import { percents, pick, printShares } from "../walk-fleet.ts";

type Act = (walk: CampaignWalk, step: CampaignStep) => void | Promise<void>;

async function mergeStage(walk: CampaignWalk, { a }: CampaignStep): Promise<void> {
  const pull = pick(await walk.listStagePulls(), a);
  if (pull !== undefined) await walk.mergePull(pull);
}

async function closeStage(walk: CampaignWalk, { a }: CampaignStep): Promise<void> {
  const pull = pick(await walk.listStagePulls(), a);
  if (pull === undefined) return;
  walk.tell(`cleo closes ${pull.number} (${pull.branch})`);
  walk.scm.closePullRequest(pull.number, "cleo");
}

async function pushToBranch(walk: CampaignWalk, { a, b }: CampaignStep): Promise<void> {
  const pull = pick(await walk.listStagePulls(), a);
  if (pull === undefined) return;
  const { flow } = walk;
  const text = printShares({ ...walk.readShares(), all: pick(percents, b) ?? 0 });
  walk.tell(`cleo pushes to ${pull.branch}: ${JSON.stringify(text)}`);
  flow.remote.commitTo(pull.branch, { files: { "rollouts.yml": text }, author: "cleo", at: flow.clock.now() });
}

function editShares(walk: CampaignWalk, { a, b }: CampaignStep): void {
  const before = walk.readShares();
  const share = Math.max(0, Math.min(100, before.all + (pick([-40, -20, -5, 5, 15, 30, 60], a) ?? 0)));
  const pay = before.pay === undefined || b < 0.6 ? before : { ...before, pay: pick([0, 30, 70, 100], a) ?? 0 };
  walk.mergeShares({ ...pay, all: share });
}

function finish(walk: CampaignWalk): void {
  const { shape } = walk;
  walk.mergeCampaign(undefined, { [`campaigns/done/${shape.name}.yml`]: "kind: Campaign\n" });
}

async function stop(walk: CampaignWalk, { a, b }: CampaignStep): Promise<void> {
  const run = await walk.pickRun(b);
  const scopes = [
    "all",
    "cluster/one",
    `campaign/${walk.shape.name}`,
    `campaign/${walk.shape.name}`,
    "bucket/production",
    "namespace/shop-a",
    ...(run === undefined ? [] : [`run/${run.id}` as const]),
  ] as const;
  await walk.request({ verb: "stop", scope: pick(scopes, a) ?? "all", strength: b < 0.4 ? "propose" : "move" });
}

async function resume(walk: CampaignWalk, { a }: CampaignStep): Promise<void> {
  const each = pick(await walk.listStopsInForce(), a);
  if (each === undefined) return walk.request({ verb: "resume", scope: "all" });
  if (each.revertTo !== undefined) walk.hasDrift = true;
  await walk.request({ verb: "resume", scope: each.scope, stops: [each.id] });
}

async function requestOfRun(
  walk: CampaignWalk,
  { a }: CampaignStep,
  verb: "retry" | "rollback",
  now = false,
): Promise<void> {
  const run = await walk.pickRun(a);
  if (run === undefined) return;
  if (verb === "retry") return walk.retry(run);
  if (now) walk.hasReverts = true;
  await walk.request({ verb, scope: `run/${run.id}`, ...(now ? { now } : {}) });
}

function breakOne(walk: CampaignWalk, { a, b }: CampaignStep): void {
  const { key, ref, model } = walk.pickRef(a, b);
  walk.tell(`broken on new: ${key}`);
  walk.fixes.push(model.breakWorkload(ref, { how: a < 0.5 ? "neverReady" : "crash", whenRevision: "new" }));
}

function recreate(walk: CampaignWalk, { a, b }: CampaignStep, again: boolean): void {
  const { key, ref, model } = walk.pickRef(a, b);
  if (ref.kind !== "Deployment" || ref.namespace === "unit-u") return;
  walk.tell(`${again ? "created again" : "gone"}: ${key}`);
  walk.touch(key);
  model.deleteWorkload(ref);
  const labels = { "istio.io/rev": "old" };
  if (again) model.addDeployment({ ns: ref.namespace, name: ref.name, replicas: 2, labels, readyMs: 5000 });
  else dropRef(walk, key);
}

function dropRef(walk: CampaignWalk, key: string): void {
  const cluster = key.slice(0, key.indexOf(":"));
  const kept = (walk.refs.get(cluster) ?? []).filter(
    (ref) => `${cluster}:${ref.namespace}/${ref.kind}/${ref.name}` !== key,
  );
  walk.refs.set(cluster, kept);
}

/** A name that the cluster does not have yet: two steps may draw the same one (walk 8900008). */
function nameLate(walk: CampaignWalk, cluster: string, name: string): string {
  const isThere = walk.refs.get(cluster)?.some(({ namespace }) => namespace === name) === true;
  return isThere ? nameLate(walk, cluster, `${name}-2`) : name;
}

function addNamespace(walk: CampaignWalk, { a, b }: CampaignStep): void {
  const cluster = pick([...walk.refs.keys()], b) ?? "one";
  const ns = nameLate(walk, cluster, `${a < 0.3 ? "pay" : "shop"}-late-${Math.floor(a * 1000)}`);
  const labels = { "istio.io/rev": "old" };
  const ref = walk.flow.model(cluster).addDeployment({ ns, name: "web", replicas: 2, labels, readyMs: 5000 });
  walk.tell(`late: ${cluster}:${ns}`);
  walk.refs.get(cluster)?.push(ref);
  walk.touch(`${cluster}:${ns}/Deployment/web`);
}

async function takeClusterAway(walk: CampaignWalk, { a }: CampaignStep): Promise<void> {
  const name = pick([...walk.refs.keys()], a) ?? "one";
  if (walk.away.has(name)) return;
  walk.away.add(name);
  walk.tell(`${name} is not reached any more`);
  await walk.flow.stopExecutor(name);
}

function bringClusters(walk: CampaignWalk): void {
  for (const name of walk.away) {
    walk.tell(`${name} is back`);
    walk.flow.startExecutor("act", 0, [name]);
  }
  walk.away.clear();
}

function skip(walk: CampaignWalk, { a, b }: CampaignStep): void {
  const name = pick([...walk.refs.keys()], a) ?? "one";
  if (b < 0.5 && walk.skipped.size === 0) {
    walk.skipped.add(name);
    walk.leftSkipped.add(name);
  } else walk.takeBackIn();
  walk.mergeSettings();
}

async function failForAWhile(walk: CampaignWalk, set: (down: boolean) => void): Promise<void> {
  set(true);
  await walk.flow.pass(80_000);
  set(false);
}

function forcePush(walk: CampaignWalk, { b }: CampaignStep): void {
  const { remote } = walk.flow;
  const head = remote.commit(remote.head("main") ?? "");
  const before = head?.parents[0];
  // Commits before the ledger's baseline belong to no run.
  if (b > 0.5 || before === undefined || head?.sha === walk.baseline) return;
  walk.hasForced = true;
  remote.forceMain(before);
  // A person merges again what the forced push lost, and deletes the contradicting campaign file if it came back (walk
  // 8500118).
  const isCopyBack = remote.commit(before)?.tree.has(copyFile) === true;
  walk.mergeSettings();
  walk.mergeCampaign(walk.shape, isCopyBack ? { [copyFile]: null } : {});
}

const acts: Readonly<Record<CampaignStep["name"], Act>> = {
  mergeStage,
  closeStage,
  pushToBranch,
  editShares,
  editCampaign: (walk, { a, b }) => walk.edit(a, b),
  deleteCampaign: (walk) => walk.mergeCampaign(undefined),
  finishCampaign: finish,
  putCampaignBack: (walk) => walk.mergeCampaign(walk.shape),
  stop,
  resume,
  retry: async (walk, step) => requestOfRun(walk, step, "retry"),
  rollback: async (walk, step) => requestOfRun(walk, step, "rollback"),
  rollbackNow: async (walk, step) => requestOfRun(walk, step, "rollback", true),
  killPlanner: async (walk) => walk.restartPlanner(),
  killExecutor: async (walk) => walk.restartExecutors(),
  secondPlanner(walk) {
    walk.restarts += 1;
    walk.flow.startPlanner();
  },
  wipeBoth(walk) {
    walk.flow.bus.wipe();
    walk.flow.queue.flush();
  },
  faultOfApi: (walk, { a, b }) => walk.pickRef(0, b).model.faults.unavailableFor(a * 90_000),
  faultOfGithub: async (walk) => failForAWhile(walk, (down) => walk.scm.setUnavailable(down)),
  faultOfGit: async (walk) => failForAWhile(walk, (down) => walk.flow.remote.setUnavailable(down)),
  clusterGoes: takeClusterAway,
  clusterComes: bringClusters,
  clusterExcluded: skip,
  clusterJoins: async (walk) => (walk.refs.has("late") ? undefined : walk.join("late")),
  breakWorkload: breakOne,
  fixWorkloads: (walk) => walk.fixes.splice(0).forEach((fix) => fix()),
  ownerDeploys(walk, { a, b }) {
    const { key, ref, model } = walk.pickRef(a, b);
    walk.touch(key);
    model.ownerApply(ref, { templateAnnotations: { deployed: String(a) } });
  },
  recreate: (walk, step) => recreate(walk, step, true),
  remove: (walk, step) => recreate(walk, step, false),
  namespaceLate: addNamespace,
  measureBad: (walk, { b }) => void (walk.measured = b < 0.6 ? 1 : 0),
  forcePush,
  breakCampaign: (walk, { a }) => breakCampaign(walk, a),
  repairCampaign: (walk) => walk.repairCampaign(),
  pass: () => undefined,
};

/** Plays one step of a walk, and lets the time pass until the next one. */
export async function takeStep(walk: CampaignWalk, step: CampaignStep): Promise<void> {
  walk.tell(step.name);
  await acts[step.name](walk, step);
  await walk.flow.pass(step.ms);
  await walk.standstills.check();
  await checkBreak(walk);
}
