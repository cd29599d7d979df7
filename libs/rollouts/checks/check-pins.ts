import type { BucketLayout } from "../source/layout.ts";
import { comparePatterns, compilePatterns, type PatternIndex } from "../patterns/pattern-index.ts";
import { quoteText, type Problem } from "../source/source.ts";

/** A bucket whose pattern is one namespace name, perhaps anchored. */
interface Pin {
  readonly bucket: BucketLayout;
  readonly namespace: string;
}

interface Rivals {
  /** Best first: the order of the index. */
  readonly buckets: readonly BucketLayout[];
  readonly index: PatternIndex;
}

const PIN = /^\^?([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)\$?$/u;

const NOTE = "the longest matching pattern decides, by its length as written";

/**
 * MR1102 for a pin that a longer pattern takes away, MR1007 for one that a pattern of equal length also matches. Only what the file
 * itself proves; ties over namespaces of the fleet need the fleet. Each pattern comes once.
 */
export function checkPins(patterned: readonly BucketLayout[]): readonly Problem[] {
  const pins = patterned.flatMap((bucket) => {
    const namespace = PIN.exec(bucket.key.name)?.[1];
    return namespace === undefined ? [] : [{ bucket, namespace }];
  });
  if (pins.length === 0) return [];
  const rivals = compileRivals(patterned);
  return pins.flatMap((pin) => checkPin(rivals, pin));
}

function compileRivals(patterned: readonly BucketLayout[]): Rivals {
  const buckets = patterned.toSorted((a, b) => comparePatterns(a.key.name, b.key.name));
  return { buckets, index: compilePatterns(buckets.map(({ key }) => key.name)) };
}

function checkPin({ buckets, index }: Rivals, pin: Pin): readonly Problem[] {
  const [first, second] = index.findAll(pin.namespace).map((rank) => buckets[rank]);
  const loses = first !== pin.bucket;
  const rival = loses ? first : second;
  if (rival === undefined) return [];
  const longer = rival.key.name.length - pin.bucket.key.name.length;
  if (longer > 0) return [refuseShadowed(pin, rival)];
  return longer === 0 ? [reportTie(pin, rival, loses)] : [];
}

function refuseShadowed({ bucket, namespace }: Pin, rival: BucketLayout): Problem {
  const { span, name } = bucket.key;
  const longer = `${rival.key.name.length} characters, matches ${quoteText(namespace)} and is longer`;
  return {
    code: "MR1102",
    span,
    message: "this pin never applies: a longer pattern wins",
    label: `${name.length} characters`,
    related: [{ span: rival.key.span, message: longer }],
    note: NOTE,
    help: suggestLonger(namespace, rival.key.name.length),
  };
}

/** A tie is decided (the smaller in byte order wins), so only a pin that loses is an error. */
function reportTie({ bucket, namespace }: Pin, rival: BucketLayout, loses: boolean): Problem {
  const { span, name } = bucket.key;
  return {
    code: "MR1007",
    severity: loses ? "error" : "warning",
    span,
    message: `${loses ? "this pin never applies" : "this pin only just applies"}: a pattern of equal length matches it too`,
    label: `${name.length} characters`,
    related: [
      { span: rival.key.span, message: `${rival.key.name.length} characters, matches ${quoteText(namespace)} too` },
    ],
    note: `${NOTE}; of equal ones the smaller in byte order`,
    help: suggestLonger(namespace, rival.key.name.length),
  };
}

/** Ways to write the same name longer, shortest first. */
function suggestLonger(namespace: string, length: number): string {
  const forms = [`^${namespace}$`, `^(?:${namespace})$`, `^(?:(?:${namespace}))$`];
  const index = forms.findIndex((form) => form.length > length);
  const form = forms[index];
  if (form === undefined) return "no way of writing this pin is longer: shorten the other pattern";
  return `write it ${index === 0 ? "anchored" : "longer"}, \`${form}\` (${form.length} characters)`;
}
