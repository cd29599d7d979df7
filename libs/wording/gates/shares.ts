/** Decimals of a share; with more, a reader compares digits that mean nothing. */
const shownDecimals = 1;
/** Enough for one of a million workloads. */
const mostDecimals = 4;

/** Of a percentage: "7.7", "100" only at 100 and "0" only at 0, because 99.97 would hide the ones that are missing. */
function roundPercent(percent: number, decimals: number): number {
  const rounded = Number(percent.toFixed(decimals));
  const step = 10 ** -decimals;
  if (rounded === 0 && percent > 0) return step;
  return rounded === 100 && percent < 100 ? 100 - step : rounded;
}

/** A limit from a file, as it is written there: `5 %`, `99.95 %`. */
export function printLimitShare(limit: number): string {
  return `${Number((limit * 100).toFixed(mostDecimals))} %`;
}

/**
 * A share next to its limit: more decimals only where rounding would put it on the other side of the limit, or on it: 5.04 %
 * is above 5 %.
 */
export function printShareBy(share: number, limit: number): string {
  const [percent, bound] = [share * 100, Number((limit * 100).toFixed(mostDecimals))];
  const isSame = share === limit || Number(percent.toFixed(mostDecimals)) === bound;
  const sides = Array.from({ length: mostDecimals }, (_, at) => {
    const decimals = at + shownDecimals;
    return Number(roundPercent(percent, decimals).toFixed(decimals));
  });
  const side = isSame ? 0 : Math.sign(percent - bound);
  const shown = sides.find((each) => Math.sign(each - bound) === side) ?? sides.at(-1);
  return `${shown} %`;
}

/** `count` of `of` in percent with exactly one decimal, for columns of a table; without the sign. */
export function printPercent(count: number, of: number): string {
  return (of === 0 ? 0 : roundPercent((100 * count) / of, shownDecimals)).toFixed(shownDecimals);
}
