import { BusUnavailable, type KeyValue } from "#libs/bus";
import { nameAnswerKey, nameRequestKey, printAnswer, readRequest, type VerbAnswer } from "#libs/events";
import { lookUp } from "#libs/input";
import { type VerbRequest, type LedgerState } from "#libs/plan";
import { doEach, type Logger } from "#libs/runtime";

/** The verbs on the bus, by key. */
export interface OpenRequests {
  /** Those that can be carried out. */
  readonly requests: Map<string, VerbRequest>;
  /** Those that cannot, with the reason: each is answered and deleted from the bus. */
  readonly refused: Map<string, string>;
}

export function createOpenRequests(): OpenRequests {
  return { requests: new Map(), refused: new Map() };
}

/** Most open requests of one verb: people do not type so many in a month, and each costs a commit. */
const mostOfVerb = 100;
/** Most open requests of one verb by one person: a flood by one must not keep another's stop out. */
const mostOfOne = 20;

/** Most refused requests that are answered in one reconcile, so that a flood delays no decision. */
const mostAnswered = 50;
/** Most refused requests that are remembered; further ones stay on the bus and are read when the planner starts again. */
const mostRefused = 10_000;

function classify({ requests, refused }: OpenRequests, key: string, value: string | undefined): void {
  requests.delete(key);
  refused.delete(key);
  if (value === undefined) return;
  const refuse = (why: string): void => void (refused.size < mostRefused && refused.set(key, why));
  const read = readRequest(key, value);
  if (!read.ok) return refuse(read.why);
  const same = [...requests.values()].filter(({ verb }) => verb === read.request.verb);
  const own = same.filter(({ who }) => who === read.request.who);
  if (same.length < mostOfVerb && own.length < mostOfOne) requests.set(key, read.request);
  else refuse(`${same.length} of them wait already: ask again when they are answered`);
}

/** Refuses a verb that turned out to be impossible: it leaves the open requests, and is answered. */
export function refuseRequest({ requests, refused }: OpenRequests, id: string, why: string): void {
  const key = nameRequestKey(id);
  if (requests.delete(key)) refused.set(key, why);
}

/** Follows the verbs that people place on the bus, by key. */
export async function followRequests(
  control: KeyValue,
  open: OpenRequests,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      classify(open, key, value);
      onChange();
    },
    onReady: onChange,
    onReset: () => {
      open.requests.clear();
      open.refused.clear();
    },
  };
  await control.watch(nameRequestKey("*"), watcher, signal);
}

interface AnswerParts {
  readonly control: KeyValue;
  readonly status: KeyValue;
  readonly log: Pick<Logger, "warn">;
}

/** Writes the answer under the last part of the request's key, also where that is no valid id: its caller waits there. */
async function putAnswer(status: KeyValue, key: string, answer: VerbAnswer): Promise<void> {
  await status.put(nameAnswerKey(key.slice(nameRequestKey("").length)), printAnswer(answer));
}

/** A request's key, and its answer. */
type Answered = readonly [key: string, answer: VerbAnswer];

function listAnswers(
  { requests, refused }: OpenRequests,
  ledger: Pick<LedgerState, "requests"> | undefined,
): readonly Answered[] {
  const known = [...requests].flatMap(([key, { id }]): readonly Answered[] => {
    const carriedOut = lookUp(ledger?.requests, id);
    if (carriedOut === undefined) return [];
    return [[key, { text: carriedOut.answer, outcome: carriedOut.outcome ?? "done" }]];
  });
  const others = [...refused]
    .slice(0, mostAnswered)
    .map(([key, why]): Answered => [key, { text: `not carried out: ${why}`, outcome: "refused" }]);
  return [...known, ...others];
}

/**
 * Answers each verb that the ledger has recorded or that was refused, and deletes it from the bus: from then on the ledger's
 * record counts. If the bus refuses one answer, the others are still written.
 */
export async function answerRequests(
  { control, status, log }: AnswerParts,
  open: OpenRequests,
  ledger: Pick<LedgerState, "requests"> | undefined,
): Promise<void> {
  const answer = async ([key, text]: Answered): Promise<void> => {
    await putAnswer(status, key, text);
    await control.delete(key);
    open.requests.delete(key);
    open.refused.delete(key);
  };
  await doEach(listAnswers(open, ledger), answer, {
    onFault: ([key], error) => log.warn({ error, key }, "a verb could not be answered"),
    isDown: (error) => error instanceof BusUnavailable,
  });
}
