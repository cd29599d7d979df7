import { z } from "zod";

const define = <const T extends string, S extends z.ZodType>(type: T, data: S) => ({
  type,
  schema: z.object({ type: z.literal(type), id: z.string(), at: z.iso.datetime(), data }),
});

const workload = z.object({ run: z.string(), cluster: z.string(), workload: z.string(), revision: z.string() });

/**
 * Every message on the stream MESHROLL. A type's name carries its version; an optional field may be added, anything else
 * is a new version beside the old one. Messages wake and inform: nothing is decided on them.
 *
 * @internal
 */
export const catalogue = {
  runStarted: define(
    "run.v1.started",
    z.object({
      run: z.string(),
      commit: z.string(),
      subject: z.string(),
      author: z.string(),
      workloads: z.number().int(),
    }),
  ),
  runDone: define(
    "run.v1.done",
    z.object({
      run: z.string(),
      state: z.enum(["done", "empty", "gone"]),
      arrived: z.number().int(),
      aside: z.number().int(),
    }),
  ),
  batchHandedOut: define(
    "batch.v1.handedOut",
    z.object({ run: z.string(), cluster: z.string(), workloads: z.array(z.string()) }),
  ),
  batchEnded: define("batch.v1.ended", z.object({ run: z.string(), cluster: z.string(), why: z.string() })),
  workloadMoved: define("workload.v1.moved", workload),
  workloadArrived: define("workload.v1.arrived", workload),
  workloadFailed: define("workload.v1.failed", workload.extend({ reason: z.string(), reverted: z.boolean() })),
  workloadTakenBack: define("workload.v1.takenBack", workload.extend({ reason: z.string() })),
  stopPlaced: define(
    "stop.v1.placed",
    z.object({ stop: z.string(), scope: z.string(), who: z.string(), why: z.string() }),
  ),
  stopLifted: define("stop.v1.lifted", z.object({ stops: z.array(z.string()), who: z.string(), why: z.string() })),
} as const;

type Catalogue = typeof catalogue;
export type EventName = keyof Catalogue;
export type Event = { [K in EventName]: z.infer<Catalogue[K]["schema"]> }[EventName];
export type EventData<K extends EventName> = z.infer<Catalogue[K]["schema"]>["data"];

/** A message of the catalogue; `id` is the effect it tells of, so that telling it twice is one message. */
export function makeEvent<K extends EventName>(name: K, id: string, at: number, data: EventData<K>): Event {
  return catalogue[name].schema.parse({
    type: catalogue[name].type,
    id,
    at: new Date(at).toISOString(),
    data,
  }) as Event;
}

/** Subject on the bus: `meshroll.v1.<type>`. */
export function nameSubject(event: Event): string {
  return `meshroll.v1.${event.type}`;
}

/** Reads a message; undefined for one that this version does not know (a newer process beside us). @internal */
export function readEvent(body: string): Event | undefined {
  const parsed: unknown = JSON.parse(body);
  const type = z.object({ type: z.string() }).safeParse(parsed).data?.type;
  const entry = Object.values(catalogue).find((each) => each.type === type);
  return entry?.schema.safeParse(parsed).data as Event | undefined;
}
