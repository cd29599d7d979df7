import { us, type Wordings } from "./wording.ts";

/** An adapter's message about NATS or Redis, with its fix. */
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

/** Why a service cannot use its brokers, or is not heard. */
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
  /** `what`: the part that is left out. */
  StatusTooLarge: ({ what }: { readonly what: string }) => ({
    message: `this status is larger than the bus takes: ${what}; nothing else is affected`,
    owner: us,
  }),
  /** A status that a command computed. */
  NoPlanner: () => ({
    message: "without a planner, this only compares the file with what runs; it moves nothing",
    owner: "the operator of meshroll",
  }),
  /** In a simulation. */
  NothingLeft: () => ({
    message: "no further change is expected without a person",
    owner: "the owners of the campaign",
  }),
} satisfies Wordings;
