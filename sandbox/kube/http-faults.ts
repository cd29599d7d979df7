import type { WatchConnections } from "./watch-connections.ts";

/** Which requests a scripted answer concerns. */
export type RequestFilter = (request: { readonly method: string; readonly url: string }) => boolean;

export interface ScriptedAnswer {
  readonly status: number;
  /** How many requests get it; default 1. */
  readonly times?: number;
  readonly retryAfterSeconds?: number;
  readonly message?: string;
  readonly when?: RequestFilter;
}

/** What goes wrong on the wire; what the API server itself does wrong is `model.faults`. */
export interface HttpFaults {
  /** Breaks the connections of all open watches. */
  cutWatches(): void;
  /** Ends all open watches properly, as a server does in time. */
  endWatches(): void;
  /** Sends a line that is no JSON on all open watches. */
  sendBadLine(): void;
  /** Open watches send nothing any more, not even bookmarks, but stay open. New ones are healthy. */
  stallWatches(): void;
  /** All continue tokens handed out so far are expired. */
  expireContinue(): void;
  /** The next matching requests get this answer. */
  answerNext(answer: ScriptedAnswer): void;
  /** Breaks every connection and every new one until the answer is called. */
  refuseConnections(): () => void;
  /** Only this token is accepted from now on. */
  setToken(token: string): void;
  /** Sends a bookmark on all open watches now. */
  sendBookmarks(): void;
}

export interface HttpFaultState extends HttpFaults {
  token(): string | undefined;
  isRefusing(): boolean;
  takeAnswer(request: Parameters<RequestFilter>[0]): ScriptedAnswer | undefined;
}

export interface HttpFaultOptions {
  readonly watches: WatchConnections;
  readonly token: string | undefined;
  readonly expireLists: () => void;
  readonly breakConnections: () => void;
}

export function createHttpFaults(options: HttpFaultOptions): HttpFaultState {
  const { watches } = options;
  let { token } = options;
  let refusing = 0;
  const scripted: { readonly answer: ScriptedAnswer; left: number }[] = [];
  return {
    cutWatches: () => watches.cut(),
    endWatches: () => watches.end(),
    sendBadLine: () => watches.write('{"type":"MODIFIED","object":{"metadata":{"na\n'),
    sendBookmarks: () => watches.bookmark(),
    stallWatches: () => watches.stall(),
    expireContinue: options.expireLists,
    answerNext: (answer) => void scripted.push({ answer, left: answer.times ?? 1 }),
    refuseConnections: () => {
      refusing++;
      options.breakConnections();
      return () => void refusing--;
    },
    setToken: (next) => void (token = next),
    token: () => token,
    isRefusing: () => refusing > 0,
    takeAnswer: (request) => {
      const entry = scripted.find(({ answer, left }) => left > 0 && (answer.when?.(request) ?? true));
      if (entry !== undefined) entry.left--;
      return entry?.answer;
    },
  };
}
