import { BusUnavailable, type KeyValue } from "#libs/bus";
import { nameAnswerKey, nameRequestKey, printAnswer, readRequest, type VerbAnswer } from "#libs/events";
import { lookUp } from "#libs/input";
import { type VerbRequest, type LedgerState } from "#libs/plan";
import { doEach, type Logger } from "#libs/runtime";

/** The verbs on the bus, by key. */
export interface OpenRequests {
  /** Those that can be carried out. */
  readonly requests: Map<string, VerbRequest>;
  /** Those that never can, with the reason: each is answered, and leaves the bus. */
  readonly refused: Map<string, string>;
}

export function createOpenRequests(): OpenRequests {
  return { requests: new Map(), refused: new Map() };
}

/** More than people type in a month: so many of one verb at once are a flood, and each would cost a commit. */
const mostOfVerb = 100;
/** And of one person, so that one who floods keeps no other's stop out. */
const mostOfOne = 20;

/** So many refused ones are answered in one reconcile, the others in the next ones: a flood must not hold up what is decided. */
const mostAnswered = 50;
/** And so many wait for that; further ones stay on the bus, and are read when the planner starts again. */
const mostRefused = 10_000;

function sortIn({ requests, refused }: OpenRequests, key: string, value: string | undefined): void {
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

/** A verb that showed itself to be one that cannot be carried out: it counts no more, and is answered. */
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
      sortIn(open, key, value);
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

/** The answer to a key has its last part as its name, also where that is no id: its caller gets an answer. */
async function putAnswer(status: KeyValue, key: string, answer: VerbAnswer): Promise<void> {
  await status.put(nameAnswerKey(key.slice(nameRequestKey("").length)), printAnswer(answer));
}

/** What becomes of a verb: its answer, once it can have one. */
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
 * Answers each verb that the ledger knows, or that cannot be carried out, and takes it off the bus: from then on the ledger's
 * record is what counts. One that the bus takes no
 * answer for keeps no other from its own.
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
