/** Longer than any object that etcd keeps is as JSON. */
const mostBytes = 16 * 1024 * 1024;

/** A line without an end: nothing of it is kept. */
export class LineTooLong extends Error {
  override readonly name = "LineTooLong";

  constructor() {
    super(`a line of the watch is longer than ${mostBytes / 1024 ** 2} MiB`);
  }
}

/**
 * Cuts a stream into its lines, those of one chunk together; a last line without an end is dropped: it was cut. Throws
 * `LineTooLong`.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  // Parts of the last line: it is put together once, when its end is there.
  let rest: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const [first = "", ...more] = decoder.decode(chunk, { stream: true }).split("\n");
    const last = more.pop();
    rest.push(first);
    size += chunk.length;
    if (size > mostBytes) throw new LineTooLong();
    if (last === undefined) continue;
    yield [rest.join(""), ...more];
    rest = [last];
    size = last.length;
  }
}
