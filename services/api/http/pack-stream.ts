import { constants, crc32, deflateRawSync } from "node:zlib";

/** Of RFC 1952: no name, no time, an unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty block that is the last one. */
const lastBlock = Buffer.from([3, 0]);

/** gzip in independent pieces, so that a piece for many readers is compressed once. */
export function createPiecePacker(): (text: string) => Buffer {
  let last: { readonly text: string; readonly piece: Buffer } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, piece: deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH }) };
    return last.piece;
  };
}

/** One reader's stream of pieces: its beginning and its correct end. */
export interface PackedStream {
  readonly head: Buffer;
  /** Adds a text to the length and checksum that end the stream. */
  count(text: string): void;
  end(): Buffer;
}

export function createPackedStream(): PackedStream {
  let [sum, size] = [0, 0];
  return {
    head,
    count(text) {
      sum = crc32(text, sum);
      size += Buffer.byteLength(text);
    },
    end() {
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(sum);
      trailer.writeUInt32LE(size % 2 ** 32, 4);
      return Buffer.concat([lastBlock, trailer]);
    },
  };
}
