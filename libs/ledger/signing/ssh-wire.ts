/** One string of the SSH wire format: its length in four bytes, then its bytes. */
export function writeString(content: string | Uint8Array): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Reads what `writeString` writes, one field after the other; each throws where the bytes end early. */
export interface WireReader {
  string(): Buffer;
  number(): number;
  /** So many bytes as they are. */
  bytes(count: number): Buffer;
  readonly left: number;
}

export function readWire(data: Buffer): WireReader {
  let at = 0;

  function take(count: number): Buffer {
    if (count > data.length - at) throw new Error("it ends early");
    at += count;
    return data.subarray(at - count, at);
  }

  return {
    bytes: take,
    number: () => take(4).readUInt32BE(),
    string: () => take(take(4).readUInt32BE()),
    get left() {
      return data.length - at;
    },
  };
}

/** The text between `-----BEGIN name-----` and its end, decoded; undefined where it is no such text, from its first byte to its last. */
export function readArmor(text: string, name: string): Buffer | undefined {
  const lines = text.trimEnd().split(/\r?\n/u);
  const [first, last] = [lines[0], lines.at(-1)];
  if (first !== `-----BEGIN ${name}-----` || last !== `-----END ${name}-----`) return undefined;
  const body = lines.slice(1, -1).join("");
  return /^[A-Za-z0-9+/]+={0,2}$/u.test(body) ? Buffer.from(body, "base64") : undefined;
}

/** The same, written: lines of 70 characters, as ssh-keygen writes them. */
export function writeArmor(data: Buffer, name: string): string {
  const lines = data.toString("base64").match(/.{1,70}/gu) ?? [];
  return [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`].join("\n");
}
