const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;
const encoder = new TextEncoder();

/** murmur3_x86_32 of some bytes under a 32-bit seed: an integer 0..2^32-1. @internal */
export function murmur3(bytes: Uint8Array, seed: number): number {
  const whole = bytes.length & ~3;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let h = seed | 0;
  for (let at = 0; at < whole; at += 4) h = absorb(h, scramble(view.getInt32(at, true)));
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | view.getUint8(at);
  return finish(h ^ scramble(rest), bytes.length);
}

/** murmur3 of a text's UTF-8 bytes. */
export function hashText(text: string, seed: number): number {
  shared.load(text);
  return shared.hash(seed);
}

/** The longest text whose blocks are kept, in bytes; a Kubernetes name has at most 253. */
const MAX_KEPT = 256;

/**
 * Hashes one text under several seeds. The part that does not depend on the seed, a third of the work, is done once. ASCII
 * texts are read in place without allocation.
 */
export class TextHasher {
  readonly #blocks = new Int32Array(MAX_KEPT / 4);
  #whole = 0;
  #rest = 0;
  #length = 0;
  /** The text itself where its blocks are not kept: too long, or not ASCII. */
  #odd: Uint8Array | undefined;

  /** Sets the text for the following calls of `hash`. */
  load(text: string): void {
    this.#odd = text.length <= MAX_KEPT && this.#keep(text) <= 0x7f ? undefined : encoder.encode(text);
  }

  /** murmur3 of the text's UTF-8 bytes under a 32-bit seed. */
  hash(seed: number): number {
    if (this.#odd !== undefined) return murmur3(this.#odd, seed);
    let h = seed | 0;
    for (let at = 0; at < this.#whole; at++) h = absorb(h, this.#blocks[at] ?? 0);
    return finish(h ^ this.#rest, this.#length);
  }

  /** Stores the scrambled blocks and returns all units or-ed together, so that the loop needs no branch to detect non-ASCII. */
  #keep(text: string): number {
    const { length } = text;
    this.#length = length;
    this.#whole = length >> 2;
    let seen = 0;
    let at = 0;
    for (let block = 0; block < this.#whole; block++) {
      const a = text.charCodeAt(at++);
      const b = text.charCodeAt(at++);
      const c = text.charCodeAt(at++);
      const d = text.charCodeAt(at++);
      seen |= a | b | c | d;
      this.#blocks[block] = scramble(a | (b << 8) | (c << 16) | (d << 24));
    }
    let rest = 0;
    for (let last = length - 1; last >= at; last--) {
      const unit = text.charCodeAt(last);
      seen |= unit;
      rest = (rest << 8) | unit;
    }
    this.#rest = scramble(rest);
    return seen;
  }
}

/** For single hashes. Every use begins with `load`, so it has no visible state. */
const shared = new TextHasher();

function scramble(block: number): number {
  const k = Math.imul(block, C1);
  return Math.imul((k << 15) | (k >>> 17), C2);
}

function absorb(state: number, scrambled: number): number {
  const h = state ^ scrambled;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(state: number, length: number): number {
  let h = state ^ length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
