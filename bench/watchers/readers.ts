import { get, type IncomingMessage } from "node:http";

/** What the readers of this process received since the last question. */
export interface Readers {
  /** Bytes received by the reader with the fewest and the one with the most, compressed as they were sent. */
  readonly bytes: readonly [least: number, most: number];
  /** Readers that are connected. */
  readonly connected: number;
}

// A process with many readers of `/v1/events`, each connected as the page is. The first message has the URL and their
// number; each later message asks for figures.
const path = "/v1/events?with=pulse&with=patches&without=messages";

async function connect(url: string, onBytes: (bytes: number) => void, isSlow: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = get(url + path, { headers: { "accept-encoding": "gzip" }, agent: false }, (answer) => {
      // A slow reader takes nothing: the system's buffers fill, then those of the api.
      if (isSlow) answer.pause();
      else answer.on("data", (chunk: Buffer) => onBytes(chunk.length));
      answer.on("error", () => undefined);
      resolve(answer);
    });
    asked.on("error", reject);
  });
}

async function follow({ url, count }: { readonly url: string; readonly count: number }): Promise<void> {
  const bytes = Array.from({ length: count }, () => 0);
  const answers: IncomingMessage[] = [];
  await connect(url, () => undefined, true);
  for (const at of bytes.keys())
    answers.push(await connect(url, (more) => void (bytes[at] = (bytes[at] ?? 0) + more), false));
  process.on("message", () => {
    const connected = answers.filter(({ destroyed }) => !destroyed).length;
    process.send?.({ bytes: [Math.min(...bytes), Math.max(...bytes)], connected } satisfies Readers);
    bytes.fill(0);
  });
  process.send?.("connected");
}

process.once("message", (given: { readonly url: string; readonly count: number }) => void follow(given));
