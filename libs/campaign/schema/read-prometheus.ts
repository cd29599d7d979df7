import { annotate, defineReader, type Field, locateChild, type Reader, reportField } from "../fields/field.ts";
import type { Gate } from "../settings/gate.ts";
import { readFields } from "../fields/read-fields.ts";
import { readCount, readDecimal, readDuration, readLater, readProse } from "../fields/readers.ts";
import { suggestWord } from "#libs/input";

/** A gate's query to Prometheus, and its limits. */
export type PrometheusProbe = Omit<
  Extract<Gate, { kind: "prometheus" }>,
  "name" | "when" | "onFail" | "onNoData" | "kind"
>;

interface PrometheusFields extends PrometheusProbe {
  readonly count: never;
  readonly minSamples: never;
}

const places: readonly string[] = ["namespaces", "revision", "window"];

const readProbeFields = readFields<PrometheusFields>(
  {
    query: annotate(readProse(4000), "PromQL with one value; ${namespaces}, ${revision} and ${window} are filled in."),
    max: annotate(readDecimal(), "The value must not be above it."),
    min: annotate(readDecimal(), "The value must not be below it."),
    maxRatioToBaseline: annotate(
      readDecimal(0, 1_000_000),
      "The value must not be above this multiple of the same query's value on the replaced revision.",
    ),
    interval: annotate(readDuration(5000), "Time between two measurements.", "1m"),
    failureLimit: annotate(readCount(1, 1000), "The gate fails after this many bad measurements in all.", 1),
    count: readLater("the bake says how long is measured, `interval` how often"),
    minSamples: readLater("let the query return nothing for too few samples"),
  },
  ["query"],
);

const limits = ["max", "min", "maxRatioToBaseline"] as const;

function checkPlaces(query: string, field: Field): boolean {
  for (const [whole, name = ""] of query.matchAll(/\$\{([^}]{0,60})\}?/g)) {
    if (places.includes(name) && whole.endsWith("}")) continue;
    const near = suggestWord(name, places);
    const help =
      near === undefined ? `there are ${places.map((one) => `\${${one}}`).join(", ")}` : `did you mean \${${near}}?`;
    const message = `\`${field.path}.query\` asks for \`${whole}\`, which meshroll does not know`;
    field.report({ code: "MR3002", span: locateChild(field, "query"), message, help });
    return false;
  }
  return true;
}

/** A query whose baseline would be the same query compares with itself and never fails. */
function checkBaseline({ query, maxRatioToBaseline }: Partial<PrometheusProbe>, field: Field): boolean {
  if (maxRatioToBaseline === undefined || query === undefined || /\$\{(?:namespaces|revision)\}/.test(query))
    return true;
  const message = "`maxRatioToBaseline` compares the query with itself: it names neither ${namespaces} nor ${revision}";
  const help = 'say which workloads are meant, such as destination_workload_namespace=~"${namespaces}"';
  field.report({ code: "MR3002", span: locateChild(field, "maxRatioToBaseline"), message, help });
  return false;
}

const schema = { ...readProbeFields.schema, anyOf: limits.map((limit) => ({ required: [limit] })) };

/** `prometheus`, complete. */
export const readPrometheus: Reader<PrometheusProbe> = defineReader(schema, (field) => {
  const read = readProbeFields(field);
  if (read?.query === undefined) return undefined;
  const { query, interval = 60_000, failureLimit = 1, ...rest } = read;
  if (!checkPlaces(query, field) || !checkBaseline(read, field)) return undefined;
  if (limits.every((limit) => read[limit] === undefined)) {
    return reportField(field, `limits nothing: write one of ${limits.join(", ")}`, "max: 0.02");
  }
  return { ...rest, query, interval, failureLimit };
});
