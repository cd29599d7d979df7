import { describe, expect, it } from "vitest";

import { findPullRequest, readPullNumber } from "./pull-request.ts";
import { PassThrough } from "node:stream";

describe("the number of a pull request", () => {
  const cases: readonly { readonly text: string; readonly want: number | undefined }[] = [
    { text: "#12", want: 12 },
    { text: "pull/12", want: 12 },
    { text: "https://github.com/acme/rollouts/pull/12", want: 12 },
    { text: "12", want: undefined },
    { text: "#0", want: undefined },
    { text: "run/0123456789ab", want: undefined },
    { text: "istio-1-25", want: undefined },
  ];
  it.each(cases)("of $text is $want", ({ text, want }) => expect(readPullNumber(text)).toBe(want));

  it("is refused without GitHub, with other ways to name the run", async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const asked = findPullRequest(12, { stdin, stdout, stderr, cwd: "/", env: {} });
    await expect(asked).rejects.toMatchObject({ exitCode: 78, help: [expect.stringContaining("run/ID")] });
  });
});
