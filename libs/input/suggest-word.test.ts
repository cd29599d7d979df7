import { describe, expect, it } from "vitest";

import { suggestWord } from "./suggest-word.ts";

describe("suggestWord", () => {
  const known = ["batchSize", "delayBetweenBatches", "readinessTimeout", "maxFailures", "maxUnavailable"];
  const cases: readonly { word: string; want: string | undefined }[] = [
    { word: "batchsize", want: "batchSize" },
    { word: "batch_size", want: "batchSize" },
    { word: "bacthSize", want: "batchSize" },
    { word: "maxFailure", want: "maxFailures" },
    { word: "readynessTimeout", want: "readinessTimeout" },
    { word: "delayBetweenBatch", want: "delayBetweenBatches" },
    { word: "replicas", want: undefined },
    { word: "x".repeat(5000), want: undefined },
  ];
  it.each(cases)("takes $word for $want", ({ word, want }) => {
    expect(suggestWord(word, known)).toBe(want);
  });

  it("takes two letters in the wrong order for one slip, and others for more", () => {
    expect(suggestWord("mxa", ["max"])).toBe("max");
    expect(suggestWord("mix", ["max"])).toBe("max");
    expect(suggestWord("xam", ["max"])).toBeUndefined();
    expect(suggestWord("mba", ["max"])).toBeUndefined();
  });
});
