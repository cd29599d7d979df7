import { BusUnavailable } from "#libs/bus";
import type { Chat, Content, Found } from "#libs/chat";

import type { Channels } from "./channels.ts";
import type { Desk, Told } from "./desk.ts";
import { addItem, emptyGroup, endItem, type Group, hasOpenItem, printGroup, readGroup } from "./group.ts";
import { mayBroadcast, type NotifyBook } from "./notify-book.ts";
import type { Pacer } from "./pacer.ts";
import { planTellings } from "./plan-tellings.ts";
import { renderStopRoot } from "./render/stops.ts";
import { printStop, readStop } from "./stop-note.ts";
import { createRootMessages, type RootMessages } from "./root-message.ts";
import type { RunBook } from "./run-book.ts";
import type { Occasion, Place, Present, Telling } from "./tellings.ts";
import { createThreadBook, type ThreadBook } from "./thread-book.ts";

/** The message is in other hands: nothing was lost, and they do the rest. */
class NotHeld extends Error {
  override readonly name = "NotHeld";
}

/** One channel, and what of ours is known in it. */
interface Channel {
  readonly book: ThreadBook;
  readonly roots: RootMessages;
}

interface Parts extends Channel {
  readonly isHeld: () => boolean;
  readonly mayBroadcast: (occasion: Occasion | undefined) => boolean;
}

/** Where to post, and what of ours stands there already. */
interface Thread {
  readonly root: string | undefined;
  readonly messages: ReadonlyMap<string, Found>;
}

async function openPlace({ book, roots }: Parts, place: Place): Promise<Thread> {
  if (place === "channel" || "campaign" in place) {
    const found = await book.listRoots("");
    return { root: undefined, messages: new Map(found.map((each) => [each.marker.key, each])) };
  }
  const root = await roots.ensure(place.run);
  return { root, messages: await book.readThread(root) };
}

async function post(
  parts: Parts,
  root: string | undefined,
  key: string,
  content: Content,
  more: { readonly note?: string; readonly broadcast?: boolean },
): Promise<void> {
  // After a freeze somebody else may have told it while we slept.
  if (!parts.isHeld()) throw new NotHeld("another notifier has the message");
  const { note, broadcast = false } = more;
  const marker = note === undefined ? { key } : { key, note };
  const where = root === undefined ? {} : { thread: root, broadcast };
  await parts.book.post({ ...content, marker, ...where });
}

type Of<K extends Telling["kind"]> = Extract<Telling, { readonly kind: K }>;

async function grow(
  parts: Parts,
  found: Found,
  root: string | undefined,
  group: Group,
  content: Content,
): Promise<void> {
  await parts.book.update(found, root, { ...content, marker: { key: found.marker.key, note: printGroup(group) } });
}

async function add(parts: Parts, telling: Of<"add">): Promise<void> {
  const { root, messages } = await openPlace(parts, telling.place);
  const family = [...messages.values()].filter(({ marker }) => marker.key.startsWith(telling.family));
  if (telling.unlessOpen && family.some(({ marker }) => hasOpenItem(readGroup(marker.note), telling.id))) return;
  const found = messages.get(telling.key);
  const before = found === undefined ? emptyGroup : readGroup(found.marker.note);
  const after = addItem(before, telling);
  if (after === before) return;
  const content = telling.render(after);
  if (found !== undefined) return grow(parts, found, root, after, content);
  const broadcast = parts.mayBroadcast(telling.broadcast);
  await post(parts, root, telling.key, content, { note: printGroup(after), broadcast });
}

/** A run that has no message has nothing to end. */
async function openExisting({ book }: Parts, place: Place): Promise<Thread | undefined> {
  if (place === "channel" || "campaign" in place) {
    const found = await book.listRoots("");
    return { root: undefined, messages: new Map(found.map((each) => [each.marker.key, each])) };
  }
  const root = await book.findRoot(`run/${place.run}`);
  return root === undefined ? undefined : { root: root.id, messages: await book.readThread(root.id) };
}

async function end(parts: Parts, telling: Of<"end">): Promise<void> {
  const thread = await openExisting(parts, telling.place);
  for (const found of thread?.messages.values() ?? []) {
    if (!found.marker.key.startsWith(telling.family)) continue;
    const before = readGroup(found.marker.note);
    const after = endItem(before, telling.id, telling.over);
    if (after !== before) await grow(parts, found, thread?.root, after, telling.render(after));
  }
}

async function tellMessage(parts: Parts, telling: Of<"message">): Promise<void> {
  const { root, messages } = await openPlace(parts, telling.place);
  if (messages.has(telling.key)) return;
  const broadcast = parts.mayBroadcast(telling.broadcast);
  await post(parts, root, telling.key, telling.content, { broadcast });
}

async function tellStop(parts: Parts, { data }: Of<"stop">): Promise<void> {
  const key = `stop/${data.stop}`;
  if ((await parts.book.findRoot(key)) !== undefined) return;
  await post(parts, undefined, key, renderStopRoot(data), { note: printStop(data) });
}

/** A message of the stop's thread, once; of the channel for a stop that was placed before anybody listened. */
async function tellOfStop(parts: Parts, stop: string, key: string, content: Content): Promise<Found | undefined> {
  const { book } = parts;
  const root = await book.findRoot(`stop/${stop}`);
  const messages = root === undefined ? undefined : await book.readThread(root.id);
  const isTold = messages?.has(key) === true || (await book.findRoot(key)) !== undefined;
  if (!isTold) await post(parts, root?.id, key, content, { broadcast: true });
  return root;
}

async function tellLift(parts: Parts, { stop, data, content }: Of<"lift">): Promise<void> {
  const root = await tellOfStop(parts, stop, `lift/${stop}`, content);
  const placed = readStop(root?.marker.note);
  if (root === undefined || placed === undefined) return;
  // Without its note it is as it was last written: it is not written again.
  await parts.book.update(root, undefined, { ...renderStopRoot(placed, data), marker: { key: root.marker.key } });
}

async function perform(parts: Parts, telling: Telling): Promise<void> {
  switch (telling.kind) {
    case "root":
      await parts.roots.ensure(telling.run);
      return;
    case "finalRoot":
      await parts.roots.ensure(telling.run);
      return parts.roots.edit(telling.run);
    case "message":
      return tellMessage(parts, telling);
    case "add":
      return add(parts, telling);
    case "end":
      return end(parts, telling);
    case "stop":
      return tellStop(parts, telling);
    case "overdue":
      await tellOfStop(parts, telling.stop, `overdue/${telling.stop}`, telling.content);
      return;
    case "lift":
      return tellLift(parts, telling);
  }
}

/** What is true now, by the newest status. */
function createPresent(runs: RunBook, scopes: ReadonlyMap<string, string>): Present {
  return {
    isOpen: (run) => runs.isOpen(run),
    isStopped: (stop) => runs.status?.stops.some(({ id }) => id === stop) ?? false,
    isWaiting: (scope, code) =>
      runs.status?.waitingFor.some((each) => each.scope === scope && each.code === code) ?? false,
    isAway: (cluster) => runs.status?.clusters.some(({ name, fresh }) => name === cluster && !fresh) ?? false,
    isProposed: (number) =>
      runs.status?.campaigns?.some(({ pull }) => pull?.number === number && pull.state === "open") ?? false,
    scopeOf: (stop) => scopes.get(stop) ?? runs.status?.stops.find(({ id }) => id === stop)?.scope,
  };
}

const mostScopes = 500;

export interface SlackDeskParts {
  readonly channels: Channels;
  readonly runs: RunBook;
  readonly rules: NotifyBook;
  readonly pacer: Pacer;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Real ms in which the planner must have said who is told of what: a wiped bus has it again after 10 s. */
const rulesWithinMs = 60_000;

/** Whose rule holds for what is told: a run's, a campaign's, or the fleet's. */
function findRule(rules: NotifyBook, telling: Telling, present: Present): ReturnType<NotifyBook["ofRun"]> {
  if ("run" in telling) return rules.ofRun(telling.run);
  if ("place" in telling) {
    if (telling.place === "channel") return rules.ofRun("");
    return "run" in telling.place ? rules.ofRun(telling.place.run) : rules.ofCampaign(telling.place.campaign);
  }
  const scope = telling.kind === "stop" ? telling.data.scope : (present.scopeOf(telling.stop) ?? "");
  return scope.startsWith("campaign/") ? rules.ofCampaign(scope.slice("campaign/".length)) : rules.ofRun("");
}

/** People in Slack channels: one thread for each run, one for each stop outside of any run. */
export function createSlackDesk({ channels, runs, rules, pacer, monotonic }: SlackDeskParts): Desk {
  const open = new Map<Chat, Channel>();
  const scopes = new Map<string, string>();
  const present = createPresent(runs, scopes);
  const startedAt = monotonic();

  function remember({ event }: Told): void {
    if (event.type !== "stop.v1.placed") return;
    scopes.set(event.data.stop, event.data.scope);
    const oldest = scopes.keys().next().value;
    if (scopes.size > mostScopes && oldest !== undefined) scopes.delete(oldest);
  }

  async function openChannel(name: string | undefined): Promise<Channel> {
    const chat = await channels.open(name);
    const known = open.get(chat);
    if (known !== undefined) return known;
    const book = createThreadBook(chat);
    const channel = { book, roots: createRootMessages(chat, book, runs, pacer, monotonic) };
    open.set(chat, channel);
    return channel;
  }

  /** A message in the wrong channel cannot be taken back; nobody waits longer than the planner may need to say so. */
  function requireRules(): void {
    if (rules.isKnown || monotonic() - startedAt > rulesWithinMs) return;
    throw new BusUnavailable("the planner has not said yet which channel is told of what; it is tried again by itself");
  }

  return {
    name: "slack",
    async tell(told) {
      remember(told);
      const tellings = planTellings(told.event, told.isLate, present);
      if (!told.isMine) for (const { book } of open.values()) book.forget();
      if (tellings.length > 0) requireRules();
      for (const telling of tellings) {
        const rule = findRule(rules, telling, present);
        const channel = await openChannel(rule.slack?.channel);
        const may = (occasion: Occasion | undefined) => mayBroadcast(rule, occasion);
        await perform({ ...channel, isHeld: told.isHeld, mayBroadcast: may }, telling);
      }
    },
    async refresh() {
      if (!rules.isKnown && monotonic() - startedAt <= rulesWithinMs) return;
      for (const run of runs.list()) {
        const { roots } = await openChannel(rules.ofRun(run).slack?.channel);
        await roots.edit(run);
      }
    },
  };
}
