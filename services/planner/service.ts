import { createLease } from "#libs/bus";
import { repackRegularly } from "#libs/repository";
import { type Decision, noticePutBack } from "#libs/plan";
import { rememberBakes } from "./memory/bake-memory.ts";
import { answerRequests, followRequests } from "./requests/follow-requests.ts";
import { followPeople, type PeopleWatch } from "./follow-people.ts";
import { followInventory } from "./inventory/follow-inventory.ts";
import { watchProtection } from "./repository/watch-protection.ts";
import { reconcileOnce } from "./reconcile/planner.ts";
import { type PullRequestWatch, watchPullRequests } from "./pull-requests/watch-pull-requests.ts";
import { saveBeforeEnd } from "./reconcile/save-before-end.ts";
import { rememberWaiting } from "./memory/waiting-memory.ts";
import { doParts, type Part } from "./loop/do-parts.ts";
import { followLease, type Term } from "./loop/follow-lease.ts";
import { waitForBus } from "./loop/make-wait.ts";
import { createReconcileTrigger } from "./loop/reconcile-trigger.ts";
import { buildLoop, type Loop, type PlannerParts } from "./build-loop.ts";

/** Longest time between two reconciles without any change, real ms: delays run out, and inventories grow stale. */
const idleMs = 1000;

/** How long a round over pull requests may go on after the signal, real ms. */
const endMs = 1000;

/** How long the last record may take after the signal, real ms: a push takes seconds, and the whole process has ten to end. */
const lastRecordMs = 5000;

/** One reconcile: reads main, decides, acts, and publishes what follows from it. Returns whether all parts succeeded. */
async function reconcile(
  loop: Loop,
  pulls: PullRequestWatch,
  people: PeopleWatch,
  signal: AbortSignal,
): Promise<boolean> {
  const { parts, sources, effects, openRequests: open, status } = loop;
  const { log, bus, clock } = parts;
  loop.deadline.renew();
  await loop.mainReader.refresh(open.requests.size > 0, signal);
  const seen = await reconcileOnce(sources, effects);
  const { snapshot } = seen;
  const publish = (decisions: readonly Decision[]): Part => [
    "the status could not be published",
    async () => loop.publishStatus({ ...seen, decisions }),
  ];
  const view = sources.repositorySnapshots.view();
  if (view === undefined) return doParts(log, [publish([...seen.decisions, ...loop.mainReader.waits()])]);
  rememberWaiting(sources.memory, snapshot);
  rememberBakes(sources.memory.bakes, snapshot, clock.monotonic(), clock.elapsed());
  loop.measurer.notice(snapshot);
  pulls.notice(snapshot);
  const answer = async (): Promise<void> => {
    // A verb leaves the bus only once executors know of a ledger that records it: a stop is in force all the time.
    if (await effects.seed(view)) await answerRequests({ control: effects.control, status, log }, open, view.ledger);
  };
  const isAnswered = await doParts(log, [["verbs could not be answered", answer]]);
  const waits = [...pulls.waits(), ...waitForBus(bus.trouble()), ...loop.mainReader.waits()];
  const decisions = [...seen.decisions, ...waits];
  const told = [...decisions, ...noticePutBack(snapshot)];
  const isTold = await doParts(log, [
    publish(decisions),
    ["who is notified of what could not be published", async () => people.notice(snapshot)],
    ["people are not notified", async () => loop.notifications.notice({ ...snapshot, ledger: view.ledger }, told)],
    ["old answers to verbs stay on the bus", loop.sweepAnswers],
    // Only people read these, so they come last.
    ["namespaces could not be published", async () => loop.publishNamespaces(seen)],
    ["the history could not be published", async () => loop.publishHistory(seen)],
    ["runs could not be published", async () => loop.runs.publish(seen)],
    ["no picture of the fleet was kept", async () => loop.pictures.keep()],
  ]);
  return isAnswered && isTold;
}

/** Follows pull requests in parallel with the reconciles; after a merge main is fetched at once. */
function followPulls(loop: Loop, { leads, signal }: Term): PullRequestWatch {
  const onMerged = (): void => {
    loop.mainReader.expire();
    loop.wake();
  };
  return watchPullRequests({ ...loop.parts, onMerged, leads }, signal);
}

/** If this fails, the next process measures that time again. */
async function saveLast({ parts, sources, effects }: Loop): Promise<void> {
  try {
    await saveBeforeEnd(sources, effects);
  } catch (error) {
    parts.log.warn(
      { error },
      "the healthy time of bakes could not be saved before the process ended; it is counted again",
    );
  }
}

/** One reconcile; an error is logged and counted, and the next reconcile starts from new snapshots. */
async function tryReconcile(
  loop: Loop,
  pulls: PullRequestWatch,
  people: PeopleWatch,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, onReconcile } = loop.parts;
  const began = clock.monotonic();
  let succeeded = false;
  try {
    succeeded = await reconcile(loop, pulls, people, signal);
  } catch (error) {
    if (!signal.aborted) log.error({ error }, "a reconcile failed; nothing new starts until one succeeds");
  }
  onReconcile?.(clock.monotonic() - began, succeeded);
}

/** Leads for one term, with an empty memory: another planner may have led before. */
async function lead(parts: PlannerParts, term: Term): Promise<void> {
  const { signal } = term;
  const trigger = createReconcileTrigger(parts.clock);
  const { link } = parts;
  const protection = link && watchProtection({ ...parts, scm: link.scm, onChange: trigger.now }, signal);
  const loop = buildLoop(parts, term, trigger.now, protection);
  const inventory = parts.bus.bucket("inventory");
  await followInventory(inventory, loop.sources.inventory, parts.clock, trigger.now, signal, loop.seeder.renew);
  await followRequests(loop.effects.control, loop.openRequests, trigger.now, signal);
  await parts.bus.listen("meshroll.v1.batch.v1.ended", trigger.now, signal);
  const packing = repackRegularly(parts, signal);
  const pulls = followPulls(loop, term);
  loop.followed.watch = pulls;
  const people = followPeople({ ...parts, rerenderer: pulls, leads: term.leads }, signal);
  // A hint means only "fetch now": its content is not used, and it costs one fetch at most.
  const onHint = (): void => {
    loop.mainReader.hint();
    trigger.now();
    pulls.wake();
    people.wake();
  };
  await parts.bus.listen("meshroll.v1.hint.v1.github", onHint, signal);
  await protection?.begin();
  await loop.mainReader.recall();
  while (!signal.aborted) {
    const leads = term.leads();
    parts.onTurn?.(leads);
    if (leads) await tryReconcile(loop, pulls, people, signal);
    await trigger.wait(idleMs, signal);
  }
  await Promise.all([
    // The next process finds every step of a round again, so an SCM that hangs does not delay this process's end.
    Promise.race([Promise.all([pulls.done, people.done, packing]), parts.clock.sleepReal(endMs)]),
    Promise.race([term.leads() ? saveLast(loop) : undefined, parts.clock.sleepReal(lastRecordMs)]),
  ]);
}

/** Runs the planner until the signal aborts: it leads while it holds the lease, and waits for the lease otherwise. */
export async function runPlanner(parts: PlannerParts, signal: AbortSignal): Promise<void> {
  const { bus, holder, clock, log } = parts;
  const trigger = createReconcileTrigger(clock);
  const lease = createLease({ bucket: bus.bucket("status"), key: "leader", holder, clock });
  const leadership = await followLease({ lease, clock, log, onTerm: trigger.now }, signal);
  while (!signal.aborted) {
    const term = leadership.term();
    if (term !== undefined) await lead(parts, term);
    parts.onTurn?.(false);
    if (!signal.aborted && leadership.term() === undefined) await trigger.wait(idleMs, signal);
  }
  await Promise.race([leadership.end(), clock.sleepReal(endMs)]);
}
