import { z } from "zod";

import type { QueryAnswer } from "./port.ts";

const moment = z.tuple([z.number(), z.string()]);
const success = z.object({
  status: z.literal("success"),
  /** Of Prometheus, Thanos and Mimir: what could not be read, or was computed from what does not fit. `infos` are only advice. */
  warnings: z.array(z.string()).nullish(),
  /** Of VictoriaMetrics: a part of its storage did not answer. */
  isPartial: z.boolean().nullish(),
  data: z.discriminatedUnion("resultType", [
    z.object({ resultType: z.literal("vector"), result: z.array(z.object({ value: moment.optional() })) }),
    z.object({ resultType: z.literal("scalar"), result: moment }),
    z.object({ resultType: z.literal("matrix") }),
    z.object({ resultType: z.literal("string") }),
  ]),
});
const failure = z.object({ status: z.literal("error"), errorType: z.string(), error: z.string() });

/** What is said of others' text is cut, ms and words alike: it ends up in a status that people read. */
const mostShown = 300;

/** A text of an unknown server, for a message. */
export function cutText(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length > mostShown ? `${line.slice(0, mostShown)}…` : line;
}

/** Go's way to write a number; `Number` would take `0x10`, ` 5 ` and an empty text as well. */
const written = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/u;
const notToCompare: readonly string[] = ["NaN", "+Inf", "-Inf"];

/** Prometheus writes numbers as text: `0.5`, `1e-07`, `NaN`, `+Inf`. */
function readNumber(text: string): QueryAnswer {
  if (!written.test(text) && !notToCompare.includes(text))
    return {
      kind: "noData",
      why: `the answer is ${cutText(JSON.stringify(text))}, which is not a number as Prometheus writes it`,
    };
  const value = Number(text);
  if (Number.isFinite(value)) return { kind: "value", value };
  return { kind: "noData", why: `the answer is ${cutText(text)}, which is not a number to compare` };
}

/** Why the answer is not of all the data that there is: what is missing may be the very errors that a gate is about. */
function findGap({ warnings, isPartial }: z.infer<typeof success>): string | undefined {
  const [first] = warnings ?? [];
  if (first !== undefined) return `it warns of its own answer: ${cutText(first)}`;
  return isPartial === true ? "it says that its answer is partial" : undefined;
}

function readData({ data }: z.infer<typeof success>): QueryAnswer {
  switch (data.resultType) {
    case "scalar":
      return readNumber(data.result[1]);
    case "vector": {
      const [first, ...others] = data.result;
      if (first === undefined) return { kind: "noData", why: "the query answered no series" };
      if (others.length > 0) {
        const why = `the query answers ${data.result.length} series, and a gate needs one number: wrap it in sum() or max()`;
        return { kind: "refused", why };
      }
      if (first.value === undefined)
        return { kind: "refused", why: "the query answers a histogram, and a gate needs one number" };
      return readNumber(first.value[1]);
    }
    case "matrix":
    case "string":
      return { kind: "refused", why: `the query answers a ${data.resultType}, and a gate needs one number` };
  }
}

function readSuccess(body: z.infer<typeof success>): QueryAnswer {
  const answer = readData(body);
  const gap = findGap(body);
  return gap === undefined || answer.kind === "refused" ? answer : { kind: "noData", why: gap };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A proxy's page, or an answer that was cut off: the schema refuses it below, and the caller names the status.
    return undefined;
  }
}

/** Errors that the query is to blame for; all others may pass. */
const refusals: readonly string[] = ["bad_data", "execution"];

/** Reads the body of an answer with this status. */
export function readAnswer(status: number, text: string): QueryAnswer {
  const body = parseJson(text);
  const good = success.safeParse(body);
  if (status === 200 && good.success) return readSuccess(good.data);
  const bad = failure.safeParse(body);
  if (bad.success) {
    const { errorType, error } = bad.data;
    return { kind: refusals.includes(errorType) ? "refused" : "unavailable", why: `${errorType}: ${cutText(error)}` };
  }
  if (status === 401 || status === 403)
    return { kind: "unavailable", why: `it answers ${status}: look at MESHROLL_PROMETHEUS_TOKEN` };
  return { kind: "unavailable", why: `it answers ${status}, and not what Prometheus answers` };
}
