import { AnswerTooLarge, collectBytes, RedactedError } from "#libs/runtime";

/** Slack took the call and refused it: `{"ok": false, "error": …}`. */
export class SlackRefusal extends RedactedError {
  override readonly name = "SlackRefusal";
  /** Slack's word, such as `channel_not_found`. */
  readonly word: string;
  /** The scope that the app lacks. */
  readonly needed: string | undefined;
  readonly details: readonly string[];

  constructor(answer: Readonly<Record<string, unknown>>) {
    const word = typeof answer["error"] === "string" ? answer["error"] : "unknown";
    super(`Slack refused: ${word.slice(0, 200)}`);
    this.word = word;
    this.needed = typeof answer["needed"] === "string" ? answer["needed"] : undefined;
    const { messages } = (answer["response_metadata"] ?? {}) as { readonly messages?: unknown };
    this.details = Array.isArray(messages) ? messages.map(String) : [];
  }
}

/** Slack's rate limit is used up. */
export class SlackRateLimited extends Error {
  override readonly name = "SlackRateLimited";
  /** Seconds; undefined where the answer does not say. */
  readonly retryAfter: number | undefined;

  constructor(retryAfter: number | undefined) {
    super("Slack's rate limit is used up");
    this.retryAfter = retryAfter;
  }
}

/** Not an answer of Slack's: a proxy's status, or a page in place of JSON. */
class SlackAnswerBroken extends Error {
  override readonly name = "SlackAnswerBroken";
}

export interface SlackAccess {
  readonly token: string;
  /** Default `https://slack.com/api/`. */
  readonly apiUrl?: string;
  /** For one call, real ms; default 10,000. */
  readonly timeoutMs?: number;
}

type Arguments = Readonly<Record<string, unknown>>;

/** One method of Slack's Web API, `chat.postMessage`, by its name: the whole answer, or one of the errors above. */
export type CallSlack = (method: string, args?: Arguments) => Promise<Readonly<Record<string, unknown>>>;

/** Slack's reading methods accept forms only, and the others accept them too; values that are no text are sent as JSON. */
function printForm(args: Arguments): URLSearchParams {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

/** Several times 200 messages with their blocks. */
const mostBytes = 8 * 1024 * 1024;
/** Slack counts by the minute: a longer wait is not from Slack, and must not silence us. */
const longestWaitSeconds = 3600;

async function readAnswer(response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const answer: unknown = JSON.parse((await collectBytes(response.body, mostBytes)).toString("utf8"));
    if (typeof answer === "object" && answer !== null) return answer as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof AnswerTooLarge || (error instanceof Error && error.name === "TimeoutError")) throw error;
    // A proxy's page: its status says more than its text.
  }
  throw new SlackAnswerBroken(`Slack answered ${response.status} without JSON`);
}

/**
 * Calls Slack once. A post whose answer was lost must not be repeated: the caller looks for its marker first. Redirects are not
 * followed, so the token goes to the configured host only.
 */
export function createSlackCall({
  token,
  apiUrl = "https://slack.com/api/",
  timeoutMs = 10_000,
}: SlackAccess): CallSlack {
  const base = apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`;
  return async (method, args = {}) => {
    const response = await fetch(base + method, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: printForm(args),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 429) {
      await response.body?.cancel();
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      throw new SlackRateLimited(Number.isFinite(seconds) ? Math.min(seconds, longestWaitSeconds) : undefined);
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new SlackAnswerBroken(`Slack answered ${response.status}`);
    }
    const answer = await readAnswer(response);
    if (answer["ok"] !== true) throw new SlackRefusal(answer);
    return answer;
  };
}
