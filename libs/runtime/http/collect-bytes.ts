/** An answer of an outside thing is longer than any that is meant: what was read of it is thrown away. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";

  constructor(mostBytes: number) {
    const [size, unit] = mostBytes < 1024 ** 2 ? [mostBytes / 1024, "KiB"] : [mostBytes / 1024 ** 2, "MiB"];
    super(`its answer is longer than ${size} ${unit}`);
  }
}

/**
 * The whole of a body, counted as it is after unpacking; null is no body. Throws `AnswerTooLarge` once there is more than
 * `mostBytes`: leaving the loop cancels the stream, so that a body without an end costs no more than that.
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
