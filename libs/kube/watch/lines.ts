/** Longer than any object that etcd stores, as JSON. */
const mostBytes = 16 * 1024 * 1024;

/** The line is longer than that; nothing of it is kept. */
export class LineTooLong extends Error {
  override readonly name = "LineTooLong";

  constructor() {
    super(`a line of the watch is longer than ${mostBytes / 1024 ** 2} MiB`);
  }
}

/**
 * Splits a stream into lines, those of one chunk together. A last line without an end was cut, and is dropped. Throws
 * `LineTooLong`.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  // Parts of the unfinished line, joined once when it ends.
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
