import { runCli } from "#test/run-cli";
import { describe, expect, it } from "vitest";

describe("meshroll describe", () => {
  const cases: readonly { readonly args: readonly string[]; readonly want: string }[] = [
    { args: ["ns", "payments"], want: "meshroll explain payments" },
    { args: ["campaign", "istio-1-25"], want: "meshroll status istio-1-25" },
    { args: ["run/0123456789ab"], want: "meshroll get run/0123456789ab -o yaml" },
    { args: ["wl", "web"], want: "meshroll get workloads web -o yaml" },
    { args: [], want: "meshroll get KIND NAME -o yaml" },
    { args: ["pod", "x"], want: "meshroll get KIND NAME -o yaml" },
  ];
  it.each(cases)("$args is called $want", async ({ args, want }) => {
    const { code, stdout, stderr } = await runCli(["describe", ...args]);
    expect({ code, stdout, stderr }).toEqual({
      code: 64,
      stdout: "",
      stderr: `meshroll: there is no describe: other commands show this\n  ${want}\n`,
    });
  });
});
