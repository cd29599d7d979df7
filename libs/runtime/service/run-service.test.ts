import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const file = fileURLToPath(new URL("run-service.ts", import.meta.url));
const lib = fileURLToPath(new URL("../index.ts", import.meta.url));

/** A process with this main function; it prints `up` when it runs. */
function start(body: string) {
  const code = `
    import { runService } from ${JSON.stringify(file)};
    import { ConfigProblems, createLogger } from ${JSON.stringify(lib)};
    const waitFor = (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const pause = () => new Promise((resolve) => setTimeout(resolve, 60_000));
    await runService(createLogger("test"), async (signal, closers) => { ${body} }, { stopLimitMs: 500 });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => (said.out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (said.err += data.toString()));
  return {
    said,
    isUp: once(child.stdout, "data"),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    code: once(child, "close").then(([code]) => code as number | null),
  };
}

const up = 'console.log("up");';

describe("a service", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "asked to end by %s closes what it opened, newest first, and exits with 0",
    async (signal) => {
      const service = start(`closers.add("bus", () => console.log("bus closed"));
      closers.add("queue", async () => console.log("queue closed")); ${up} await waitFor(signal);`);
      await service.isUp;
      service.kill(signal);
      expect(await service.code).toBe(0);
      expect(service.said.out).toBe("up\nqueue closed\nbus closed\n");
    },
  );

  it("that ends by itself is closed, too", async () => {
    const service = start(`closers.add("bus", () => console.log("closed")); ${up}`);
    expect(await service.code).toBe(0);
    expect(service.said.out).toBe("up\nclosed\n");
  });

  it("ends at once by a second signal", async () => {
    const service = start(
      `closers.add("bus", () => { console.log("closing"); return pause(); }); ${up} await waitFor(signal);`,
    );
    await service.isUp;
    service.kill("SIGTERM");
    await expect.poll(() => service.said.out).toContain("closing");
    service.kill("SIGINT");
    expect(await service.code).toBe(130);
  });

  it("does not wait for ever for a part that does not close", async () => {
    const service = start(`closers.add("bus", pause); ${up} await waitFor(signal);`);
    await service.isUp;
    service.kill("SIGTERM");
    expect(await service.code).toBe(1);
    expect(service.said.err).toContain("not closed within 500 ms");
  });

  it("closes the rest when something fails to close", async () => {
    const service = start(`closers.add("bus", () => console.log("bus closed"));
      closers.add("queue", () => { throw new Error("stuck"); });`);
    expect(await service.code).toBe(1);
    expect(service.said).toMatchObject({ out: "bus closed\n", err: expect.stringContaining("stuck") as string });
  });

  const faults = [
    { name: "a fault of its main part", body: 'throw new Error("no luck")', wantCode: 1, wantSaid: "no luck" },
    {
      name: "a rejection that is not handled",
      body: 'void Promise.reject(new Error("no luck")); await pause()',
      wantCode: 1,
      wantSaid: "no luck",
    },
    {
      name: "an error that is not caught",
      body: 'setImmediate(() => { throw new Error("no luck"); }); await pause()',
      wantCode: 1,
      wantSaid: "no luck",
    },
    {
      name: "an unusable environment",
      body: 'throw new ConfigProblems([{ name: "MESHROLL_X", message: "is not set" }])',
      wantCode: 78,
      wantSaid: "the environment is not usable:\n  MESHROLL_X: is not set\n",
    },
  ];
  it.each(faults)("exits with $wantCode after $name and says why", async ({ body, wantCode, wantSaid }) => {
    const service = start(body);
    expect(await service.code).toBe(wantCode);
    expect(service.said.err).toContain(wantSaid);
  });
});
