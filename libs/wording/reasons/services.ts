import { us, type Wordings } from "./wording.ts";

/** What an adapter says of NATS or Redis, with the fix that it knows. */
interface Trouble {
  readonly message: string;
  readonly owner: string;
  readonly help: string;
}

function wordBus({ message, owner, help }: Trouble) {
  return { message, owner, command: help };
}

function wordQueue({ message, help }: Omit<Trouble, "owner">) {
  return { message: `${message}: no new batch starts`, owner: "the operator of Redis", command: help };
}

/** What keeps a service from its brokers, or from being heard. */
export const serviceReasons = {
  BusLoginRefused: wordBus,
  BusRightMissing: wordBus,
  BusFull: wordBus,
  BusNotMade: wordBus,
  QueueFull: wordQueue,
  QueueLoginRefused: wordQueue,
  QueueRightMissing: wordQueue,
  QueueReadOnly: wordQueue,
  QueueTooOld: wordQueue,
  QueueEvicts: wordQueue,
  QueueForgets: wordQueue,
  QueueUnknown: wordQueue,
  /** `what`: what is left out of it. */
  StatusTooLarge: ({ what }: { readonly what: string }) => ({
    message: `this status is larger than the bus takes: ${what}; nothing else is held up by that`,
    owner: us,
  }),
  /** A status that a command line computed by itself. */
  NoPlanner: () => ({
    message: "no planner was asked: this is what the file says against what runs, and nothing moves by it",
    owner: "the operator of meshroll",
  }),
  /** Of a simulation. */
  NothingLeft: () => ({ message: "nothing changes by itself any more", owner: "the owners of the campaign" }),
} satisfies Wordings;
