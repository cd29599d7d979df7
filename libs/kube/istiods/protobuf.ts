/** Wire types: a number, and a message, a text or bytes. */
const [varint, lengthDelimited] = [0, 2];

function encodeNumber(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const more = rest >= 0x80;
    bytes.push((rest & 0x7f) | (more ? 0x80 : 0));
    rest = Math.floor(rest / 0x80);
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

/** One field of a message: a text, another message, or a number. */
export function encodeField(field: number, value: string | number | Uint8Array): Buffer {
  if (typeof value === "number") return Buffer.concat([encodeNumber(field * 8 + varint), encodeNumber(value)]);
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([encodeNumber(field * 8 + lengthDelimited), encodeNumber(bytes.length), bytes]);
}

/** Place in a message, moved on by what is read. */
interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

/** Longest number of seven bits each that fits 64 bits. */
const longestNumber = 10;

function readNumber(cursor: Cursor): number {
  let value = 0;
  for (let index = 0; index < longestNumber; index++) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new Error("the message ends within a number");
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value;
  }
  throw new Error("the message has a number of more than 64 bits");
}

function readBytes(cursor: Cursor, length: number): Buffer {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new Error("the message ends within a field");
  const found = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return found;
}

/** Fields of a message by number, each with its values in order: texts, bytes and messages, and numbers. */
export interface Fields {
  readonly bytes: ReadonlyMap<number, readonly Buffer[]>;
  readonly numbers: ReadonlyMap<number, number>;
}

/** Reads past a field of a type that no message here needs. */
function skipField(cursor: Cursor, type: number): void {
  if (type === 1) readBytes(cursor, 8);
  else if (type === 5) readBytes(cursor, 4);
  else throw new Error(`the message has a field of type ${type}`);
}

/** Throws for what is no message. */
export function decodeFields(message: Buffer): Fields {
  const cursor: Cursor = { bytes: message, at: 0 };
  const bytes = new Map<number, Buffer[]>();
  const numbers = new Map<number, number>();
  while (cursor.at < message.length) {
    const key = readNumber(cursor);
    const [field, type] = [Math.floor(key / 8), key % 8];
    if (type === varint) numbers.set(field, readNumber(cursor));
    else if (type === lengthDelimited) {
      const value = readBytes(cursor, readNumber(cursor));
      const known = bytes.get(field);
      if (known === undefined) bytes.set(field, [value]);
      else known.push(value);
    } else skipField(cursor, type);
  }
  return { bytes, numbers };
}

/** The messages in a field. */
export function decodeAll({ bytes }: Fields, field: number): readonly Fields[] {
  return (bytes.get(field) ?? []).map((each) => decodeFields(each));
}

/** The text in a field; undefined where it is absent. */
export function readText({ bytes }: Fields, field: number): string | undefined {
  return bytes.get(field)?.at(-1)?.toString("utf8");
}
