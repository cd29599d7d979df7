import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";

import { playDockerfile, type Stage } from "./play-dockerfile.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let stages: readonly Stage[] = [];
const app = (): string => join(stages.at(-1)?.root ?? "", "app");

beforeAll(() => {
  stages = playDockerfile(join(inject("installed").folder, "image"));
});

function run(command: string, args: readonly string[]) {
  const env = { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`, NODE_ENV: "production" };
  const done = spawnSync(process.execPath, [join(app(), "bin", `${command}.mjs`), ...args], {
    cwd: app(),
    env,
    encoding: "utf8",
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

describe("the image, built in empty folders", () => {
  it("leaves only steps that need a container engine", () => {
    expect(stages.map(({ name, left }) => ({ name, left: left.map((each) => each.split(" ")[0]) }))).toEqual([
      { name: "build", left: [] },
      { name: "packages", left: [] },
      { name: "last", left: ["apt-get", "for"] },
    ]);
  });

  it("has the command line", () => {
    expect(run("meshroll", ["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run("meshroll", ["explain", "MR1004"])).toMatchObject({ code: 0, stderr: "" });
  });

  const compose = parse(readFileSync(join(root, "docker-compose.yml"), "utf8"), { merge: true }) as {
    readonly services: Readonly<
      Record<string, { readonly image: string; readonly command?: string | readonly string[] }>
    >;
  };
  const commands = Object.values(compose.services)
    .filter(({ image }) => image.includes("meshroll:"))
    .map(({ command = [] }) => (typeof command === "string" ? command.split(" ") : command)[0] ?? "");

  it.each(commands.filter((each) => each !== "meshroll"))(
    "%s of compose starts, and lacks only its environment",
    (command) => {
      const { code, stderr } = run(command, []);
      expect({ code, stderr }).toEqual({
        code: 78,
        stderr: expect.stringMatching(/^the environment is not usable:\n/) as string,
      });
    },
  );

  it("holds no TypeScript, no test, no stand-in, no history and no .env", () => {
    const names = readdirSync(app(), { recursive: true, encoding: "utf8" }).filter(
      (each) => !each.startsWith("node_modules"),
    );
    expect(names.length).toBeGreaterThan(300);
    expect(
      names.filter((each) => /\.ts$|\.test\.|\/(?:fake|conformance)(?:\/|\.)|(?:^|\/)\.(?:env|git)/.test(each)),
    ).toEqual([]);
  });

  it("has exactly the packages of the lock that a service needs", () => {
    const read = (path: string) =>
      JSON.parse(readFileSync(path, "utf8")) as {
        readonly packages: Readonly<
          Record<
            string,
            {
              readonly version?: string;
              readonly dev?: boolean;
              readonly optional?: boolean;
              readonly devOptional?: boolean;
            }
          >
        >;
      };
    const lock = read(join(root, "package-lock.json")).packages;
    const installed = read(join(app(), "node_modules", ".package-lock.json")).packages;
    const needed = Object.entries(lock).filter(
      ([path, { dev, optional, devOptional }]) =>
        path !== "" && dev !== true && optional !== true && devOptional !== true,
    );
    const list = (all: Iterable<readonly [string, { readonly version?: string }]>) =>
      Array.from(all, ([path, { version }]) => `${path}@${version}`).toSorted();
    expect(list(Object.entries(installed))).toEqual(list(needed));
  });
});
