import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Pixels as red, green, blue, alpha. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 256;

/** Bytes of a pixel, by the end of the head: 8 bits each, without or with alpha, not interlaced. */
const sizes: ReadonlyMap<string, number> = new Map([
  ["0802000000", 3],
  ["0806000000", 4],
]);

function listChunks(png: Buffer): readonly { readonly kind: string; readonly data: Buffer }[] {
  const chunks = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({ kind: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function predictPaeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** What PNG's filters 0 to 4 subtract from a byte. */
const predictions: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  predictPaeth,
];

/** Undoes the filter of a row in place. */
function undoFilter(line: Buffer, above: Buffer, filter: number, size: number): void {
  const predict = predictions[filter];
  if (predict === undefined) throw new Error(`a PNG with the filter ${filter}`);
  for (const [at, byte] of line.entries()) {
    const [left, corner] = at < size ? [0, 0] : [line[at - size] ?? 0, above[at - size] ?? 0];
    line[at] = byte + predict(left, above[at] ?? 0, corner);
  }
}

/** Reads what Chromium writes: 8 bits, with or without alpha, not interlaced. */
function readPixels(png: Buffer): Pixels {
  const chunks = listChunks(png);
  const head = chunks[0]?.data ?? Buffer.alloc(13);
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const size = sizes.get(head.toString("hex", 8));
  if (size === undefined) throw new Error(`a PNG of another kind: ${head.toString("hex", 8)}`);
  const raw = inflateSync(Buffer.concat(chunks.filter((each) => each.kind === "IDAT").map(({ data }) => data)));
  const row = width * size;
  const bytes = Buffer.alloc(width * height * 4, 255);
  let above = Buffer.alloc(row);
  for (let y = 0; y < height; y += 1) {
    const [filter = 0, ...rest] = raw.subarray(y * (row + 1), (y + 1) * (row + 1));
    const line = Buffer.from(rest);
    undoFilter(line, above, filter, size);
    for (let x = 0; x < width; x += 1) line.copy(bytes, (y * width + x) * 4, x * size, x * size + 3);
    above = line;
  }
  return { width, height, bytes };
}

function measureDistance(a: number, b: number): number {
  const part = (shift: number) => ((a >> shift) & 255) - ((b >> shift) & 255);
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2;
}

/** A colour, how often it is there, and its nearest colour of the palette. */
interface Colour {
  readonly colour: number;
  readonly count: number;
  place: number;
  distance: number;
}

function listColours(pixels: readonly number[]): readonly Colour[] {
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return [...counts].map(([colour, count]) => ({ colour, count, place: 0, distance: Number.POSITIVE_INFINITY }));
}

/** The colour that the palette shows worst, counted by its pixels: so a rare red gets a place before a hundredth grey. */
function findWorst(colours: readonly Colour[]): Colour | undefined {
  const rate = ({ distance, count }: Colour) => Math.min(distance, 1e6) * count;
  const worst = colours.reduce<Colour | undefined>(
    (most, each) => (most === undefined || rate(each) > rate(most) ? each : most),
    undefined,
  );
  return worst === undefined || worst.distance === 0 ? undefined : worst;
}

/** The colours of a palette, and the place in it of each colour of the picture. */
function choosePalette(pixels: readonly number[]): {
  readonly palette: readonly number[];
  readonly places: ReadonlyMap<number, number>;
} {
  const colours = listColours(pixels);
  const palette: number[] = [];
  for (let next = findWorst(colours); next !== undefined && palette.length < mostColours; next = findWorst(colours)) {
    const place = palette.push(next.colour) - 1;
    for (const each of colours) {
      const distance = measureDistance(each.colour, next.colour);
      if (distance < each.distance) Object.assign(each, { place, distance });
    }
  }
  return { palette, places: new Map(colours.map(({ colour, place }) => [colour, place])) };
}

function printChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The same picture in 256 colours: a page has few, and they need a third of the bytes. */
export function compactPng(png: Buffer): Buffer {
  const { width, height, bytes } = readPixels(png);
  const colours = Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * 4, 3));
  const { palette, places } = choosePalette(colours);
  // Each row begins with its filter: none, as differences of places in a palette mean nothing.
  const rows = Buffer.alloc(height * (width + 1));
  for (const [at, colour] of colours.entries())
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = places.get(colour) ?? 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const entries = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    printChunk("IHDR", head),
    printChunk("PLTE", entries),
    printChunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    printChunk("IEND", Buffer.alloc(0)),
  ]);
}
