/** The unit of logarithms: 2^-24. */
const UNIT = 2 ** 24;
const STEPS = 2048;

/** `LOG_TABLE[i]` = log2(1 + i/2048) in units of 2^-24, for i = 0..2048: 2049 integers that every language computes alike. @internal */
export const LOG_TABLE: Int32Array = buildTable();

function buildTable(): Int32Array {
  const table = new Int32Array(STEPS + 1);
  for (let i = 0; i < STEPS; i++) table[i] = squareOutBits(2 ** 25 + i * 2 ** 14);
  table[STEPS] = UNIT;
  return table;
}

/**
 * log2 of a mantissa (2^25 = 1.0), one bit per squaring. Integers below 2^53 only: maths libraries may differ in the last bit,
 * which would send a namespace to different revisions on different machines.
 */
function squareOutBits(mantissa: number): number {
  let m = mantissa;
  let bits = 0;
  for (let bit = 0; bit < 24; bit++) {
    m *= m;
    const isHigh = m >= 2 ** 51;
    m = Math.floor(m / (isHigh ? 2 ** 26 : 2 ** 25));
    bits = bits * 2 + (isHigh ? 1 : 0);
  }
  return bits;
}

/**
 * -log2((2u+1) / 2^33) of a 32-bit hash in units of 2^-24: from 1 (u = 2^32-1) to 553648128 (u = 0). Linear between table
 * entries.
 */
export function negativeLog2(u: number): number {
  if (u === 0) return 33 * UNIT;
  const zeros = Math.clz32(u);
  // 2u+1 without its leading one, as a 32-bit fraction; the shift drops that one.
  const fraction = (((u << 1) | 1) << zeros) >>> 0;
  const index = fraction >>> 21;
  const low = LOG_TABLE[index] ?? 0;
  const high = LOG_TABLE[index + 1] ?? UNIT;
  // 35 bits, for which `>>` is too short.
  const between = Math.floor(((high - low) * (fraction & 0x1fffff)) / 2 ** 21);
  return (1 + zeros) * UNIT - low - between;
}
