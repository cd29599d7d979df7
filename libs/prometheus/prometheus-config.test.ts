import { describe, expect, it, test } from "vitest";
import { z } from "zod";

import { openConfiguredPrometheus, prometheusVariables } from "./prometheus-config.ts";

const schema = z.object(prometheusVariables);

describe("MESHROLL_PROMETHEUS_URL", () => {
  test.each(["http://prometheus:9090", "https://mimir.example.com/prometheus/"])("%s is an address", (url) => {
    const config = schema.parse({ MESHROLL_PROMETHEUS_URL: url, MESHROLL_PROMETHEUS_TOKEN: "t" });
    expect(openConfiguredPrometheus(config)).toBeDefined();
  });

  test.each(["prometheus:9090", "ftp://prometheus", "http://ana:secret@prometheus", "http://prometheus?x=1", "no"])(
    "%s is refused",
    (url) => expect(schema.safeParse({ MESHROLL_PROMETHEUS_URL: url }).success).toBe(false),
  );

  it("without it there is none to ask", () => {
    expect(openConfiguredPrometheus(schema.parse({}))).toBeUndefined();
  });
});
