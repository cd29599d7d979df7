/** An answer is larger than the limit; what was read of it is discarded. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";

  constructor(mostBytes: number) {
    const [size, unit] = mostBytes < 1024 ** 2 ? [mostBytes / 1024, "KiB"] : [mostBytes / 1024 ** 2, "MiB"];
    super(`its answer is longer than ${size} ${unit}`);
  }
}

/**
 * Reads a whole body, counted after unpacking; null means no body. Throws `AnswerTooLarge` above `mostBytes`. Leaving the loop
 * cancels the stream, so an endless body is not read further.
 */
export async function collectBytes(body: AsyncIterable<Uint8Array> | null, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > mostBytes) throw new AnswerTooLarge(mostBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
