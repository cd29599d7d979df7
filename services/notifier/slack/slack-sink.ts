import { findNamed } from "#libs/input";
import { BusUnavailable } from "#libs/bus";
import { type Chat, ChatRefused, type Content, type Found } from "#libs/chat";
import { isUnderRollback } from "#libs/plan";

import type { Channels } from "./channels.ts";
import type { Sink, ReceivedEvent } from "../delivery/sink.ts";
import { NotHeld, deliverEach } from "../delivery/deliver-each.ts";
import { addItem, emptyGroup, endItem, type Group, hasOpenItem, printGroup, readGroup } from "../facts/group.ts";
import { mayBroadcast, type NotifyStore } from "../facts/notify-store.ts";
import type { RateLimiter } from "../delivery/rate-limiter.ts";
import { planNotifications } from "../news/plan-notifications.ts";
import { renderStopRoot } from "../render/slack/stops.ts";
import { printStop, readStop } from "./stop-note.ts";
import { createRootMessages, type RootMessages } from "./root-message.ts";
import type { RunStore } from "../facts/run-store.ts";
import type { Occasion, Place, Present, Notification } from "../facts/notifications.ts";
import { createThreadStore, type ThreadStore } from "./thread-store.ts";

/** One channel, and our messages in it. */
interface Channel {
  readonly store: ThreadStore;
  readonly roots: RootMessages;
}

interface Parts extends Channel {
  readonly isHeld: () => boolean;
  readonly mayBroadcast: (occasion: Occasion | undefined) => boolean;
}

/** Where to post, and our messages there. */
interface Thread {
  readonly root: string | undefined;
  readonly messages: ReadonlyMap<string, Found>;
}

async function openPlace({ store, roots }: Parts, place: Place): Promise<Thread> {
  if (place === "channel" || "campaign" in place) {
    const found = await store.listRoots("");
    return { root: undefined, messages: new Map(found.map((each) => [each.marker.key, each])) };
  }
  const root = await roots.ensure(place.run);
  return { root, messages: await store.readThread(root) };
}

async function post(
  parts: Parts,
  root: string | undefined,
  key: string,
  content: Content,
  more: { readonly note?: string; readonly broadcast?: boolean },
): Promise<void> {
  // After a long pause another notifier may have posted it.
  if (!parts.isHeld()) throw new NotHeld("another notifier has the message");
  const { note, broadcast = false } = more;
  const marker = note === undefined ? { key } : { key, note };
  const where = root === undefined ? {} : { thread: root, broadcast };
  await parts.store.post({ ...content, marker, ...where });
}

type Of<K extends Notification["kind"]> = Extract<Notification, { readonly kind: K }>;

async function editGroup(
  parts: Parts,
  found: Found,
  root: string | undefined,
  group: Group,
  content: Content,
): Promise<void> {
  await parts.store.update(found, root, { ...content, marker: { key: found.marker.key, note: printGroup(group) } });
}

async function add(parts: Parts, notification: Of<"add">): Promise<void> {
  const { root, messages } = await openPlace(parts, notification.place);
  const family = [...messages.values()].filter(({ marker }) => marker.key.startsWith(notification.family));
  if (notification.unlessOpen && family.some(({ marker }) => hasOpenItem(readGroup(marker.note), notification.id)))
    return;
  const found = messages.get(notification.key);
  const before = found === undefined ? emptyGroup : readGroup(found.marker.note);
  const after = addItem(before, notification);
  if (after === before) return;
  const content = notification.render(after);
  if (found !== undefined) return editGroup(parts, found, root, after, content);
  const broadcast = parts.mayBroadcast(notification.broadcast);
  await post(parts, root, notification.key, content, { note: printGroup(after), broadcast });
}

/** The thread of a place, without posting a missing run's message. */
async function openExisting({ store }: Parts, place: Place): Promise<Thread | undefined> {
  if (place === "channel" || "campaign" in place) {
    const found = await store.listRoots("");
    return { root: undefined, messages: new Map(found.map((each) => [each.marker.key, each])) };
  }
  const root = await store.findRoot(`run/${place.run}`);
  return root === undefined ? undefined : { root: root.id, messages: await store.readThread(root.id) };
}

async function end(parts: Parts, notification: Of<"end">): Promise<void> {
  const thread = await openExisting(parts, notification.place);
  for (const found of thread?.messages.values() ?? []) {
    if (!found.marker.key.startsWith(notification.family)) continue;
    const before = readGroup(found.marker.note);
    const after = endItem(before, notification.id, notification.over);
    if (after !== before) await editGroup(parts, found, thread?.root, after, notification.render(after));
  }
}

async function postMessage(parts: Parts, notification: Of<"message">): Promise<void> {
  const { root, messages } = await openPlace(parts, notification.place);
  if (messages.has(notification.key)) return;
  const broadcast = parts.mayBroadcast(notification.broadcast);
  await post(parts, root, notification.key, notification.content, { broadcast });
}

async function postStop(parts: Parts, { data }: Of<"stop">): Promise<void> {
  const key = `stop/${data.stop}`;
  if ((await parts.store.findRoot(key)) !== undefined) return;
  await post(parts, undefined, key, renderStopRoot(data), { note: printStop(data) });
}

/** Posts one message in the stop's thread, or in the channel where no message of the stop is found. */
async function postInStopThread(parts: Parts, stop: string, key: string, content: Content): Promise<Found | undefined> {
  const { store } = parts;
  const root = await store.findRoot(`stop/${stop}`);
  const messages = root === undefined ? undefined : await store.readThread(root.id);
  const isPosted = messages?.has(key) === true || (await store.findRoot(key)) !== undefined;
  if (!isPosted) await post(parts, root?.id, key, content, { broadcast: true });
  return root;
}

async function postResume(parts: Parts, { stop, data, content }: Of<"resume">): Promise<void> {
  const root = await postInStopThread(parts, stop, `resume/${stop}`, content);
  const placed = readStop(root?.marker.note);
  if (root === undefined || placed === undefined) return;
  // Without a note it was completed already.
  await parts.store.update(root, undefined, { ...renderStopRoot(placed, data), marker: { key: root.marker.key } });
}

async function perform(parts: Parts, notification: Notification): Promise<void> {
  switch (notification.kind) {
    case "root":
      await parts.roots.ensure(notification.run);
      return;
    case "finalRoot":
      await parts.roots.ensure(notification.run);
      return parts.roots.edit(notification.run);
    case "message":
      return postMessage(parts, notification);
    case "add":
      return add(parts, notification);
    case "end":
      return end(parts, notification);
    case "stop":
      return postStop(parts, notification);
    case "overdue":
      await postInStopThread(parts, notification.stop, `overdue/${notification.stop}`, notification.content);
      return;
    case "resume":
      return postResume(parts, notification);
  }
}

/** A stop that a message reported, and when it was placed (ISO). */
interface KnownStop {
  readonly scope: string;
  readonly cause?: string;
  readonly at: string;
}

/** The present state, by the newest status and by newer messages. */
function createPresent(runs: RunStore, knownStops: ReadonlyMap<string, KnownStop>): Present {
  const listStops = () => {
    const newer = [...knownStops.values()].filter(({ at }) => runs.status === undefined || at > runs.status.at);
    return [...(runs.status?.stops ?? []), ...newer];
  };
  return {
    isOpen: (run) => runs.isOpen(run),
    isRollingBack: (scope) => isUnderRollback({ scope }, listStops()),
    isStopped: (stop) => runs.status?.stops.some(({ id }) => id === stop) ?? false,
    isWaiting: (scope, code) =>
      runs.status?.waiting.some((each) => each.scope === scope && each.code === code) ?? false,
    isAway: (cluster) => runs.status?.clusters.some(({ name, fresh }) => name === cluster && !fresh) ?? false,
    isProposed: (number) =>
      runs.status?.campaigns?.some(({ pull }) => pull?.number === number && pull.state === "open") ?? false,
    get page() {
      return runs.status?.page;
    },
    scopeOf: (stop) => knownStops.get(stop)?.scope ?? runs.status?.stops.find(({ id }) => id === stop)?.scope,
  };
}

const mostKnownStops = 500;

export interface SlackSinkParts {
  readonly channels: Channels;
  readonly runs: RunStore;
  readonly rules: NotifyStore;
  readonly rateLimiter: RateLimiter;
  /** Real ms. */
  readonly monotonic: () => number;
}

/** Real ms within which the planner publishes the rules; after a wipe it takes 10 s. */
const rulesWithinMs = 60_000;

/** The rule of the run, the campaign or the fleet. */
function findRule(rules: NotifyStore, notification: Notification, present: Present): ReturnType<NotifyStore["ofRun"]> {
  if ("run" in notification) return rules.ofRun(notification.run);
  if ("place" in notification) {
    if (notification.place === "channel") return rules.ofRun("");
    return "run" in notification.place
      ? rules.ofRun(notification.place.run)
      : rules.ofCampaign(notification.place.campaign);
  }
  const scope = notification.kind === "stop" ? notification.data.scope : present.scopeOf(notification.stop);
  const campaign = findNamed("campaign", scope);
  return campaign === undefined ? rules.ofRun("") : rules.ofCampaign(campaign);
}

/** Posts to Slack channels: one thread for each run, and one for each stop outside of any run. */
export function createSlackSink({ channels, runs, rules, rateLimiter, monotonic }: SlackSinkParts): Sink {
  const open = new Map<Chat, Channel>();
  const knownStops = new Map<string, KnownStop>();
  const present = createPresent(runs, knownStops);
  const startedAt = monotonic();

  function remember({ event }: ReceivedEvent): void {
    if (event.type !== "stop.v1.placed") return;
    const { stop, scope, cause } = event.data;
    knownStops.set(stop, { scope, at: event.at, ...(cause === undefined ? {} : { cause }) });
    const oldest = knownStops.keys().next().value;
    if (knownStops.size > mostKnownStops && oldest !== undefined) knownStops.delete(oldest);
  }

  async function openChannel(name: string | undefined): Promise<Channel> {
    const chat = await channels.open(name);
    const known = open.get(chat);
    if (known !== undefined) return known;
    const store = createThreadStore(chat);
    const channel = { store, roots: createRootMessages(chat, store, runs, rateLimiter, monotonic) };
    open.set(chat, channel);
    return channel;
  }

  /**
   * If a channel refuses messages (it was archived, for example), this message fails once, and later ones go to the own
   * channel.
   */
  async function withChannel(name: string | undefined, use: (channel: Channel) => Promise<void>): Promise<void> {
    const channel = await openChannel(name);
    try {
      await use(channel);
    } catch (error) {
      if (name !== undefined && error instanceof ChatRefused && error.concerns === "setup") channels.leave(name);
      throw error;
    }
  }

  /**
   * A message in the wrong channel cannot be taken back, so messages wait for the rules, at most as long as the planner needs
   * to publish them.
   */
  function requireRules(): void {
    if (rules.isKnown || monotonic() - startedAt > rulesWithinMs) return;
    throw new BusUnavailable("the planner has not said yet which channel is told of what; it is tried again by itself");
  }

  return {
    name: "slack",
    async deliver(received) {
      remember(received);
      const notifications = planNotifications(received.event, received.isLate, present);
      if (!received.isMine) for (const { store } of open.values()) store.forget();
      if (notifications.length > 0) requireRules();
      await deliverEach(notifications, async (notification) => {
        const rule = findRule(rules, notification, present);
        const may = (occasion: Occasion | undefined) => mayBroadcast(rule, occasion);
        const act = async (channel: Channel) =>
          perform({ ...channel, isHeld: received.isHeld, mayBroadcast: may }, notification);
        await withChannel(rule.slack?.channel, act);
      });
    },
    async refresh() {
      if (!rules.isKnown && monotonic() - startedAt <= rulesWithinMs) return;
      await deliverEach(runs.list(), async (run) =>
        withChannel(rules.ofRun(run).slack?.channel, async ({ roots }) => roots.edit(run)),
      );
    },
  };
}
