import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { createCredentials } from "./credentials.ts";

const cluster = { server: "https://k:1", "insecure-skip-tls-verify": false };

/** A plugin that counts its runs, fails while the file `fail` exists, and returns a token with this expiry. */
function usePlugin(expirationTimestamp?: string) {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-plugin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const status = { token: "t", ...(expirationTimestamp === undefined ? {} : { expirationTimestamp }) };
  writeFileSync(join(folder, "answer"), JSON.stringify({ kind: "ExecCredential", status }));
  const refuse = `{ echo secret-output; echo no >&2; exit 3; }`;
  const script = `echo run >> "${folder}/runs"; test -e "${folder}/fail" && ${refuse}; cat "${folder}/answer"`;
  const exec = { apiVersion: "v1", command: "/bin/sh", args: ["-c", script], provideClusterInfo: false };
  const give = createCredentials({ cluster, user: { exec } });
  const count = (): number => readFileSync(join(folder, "runs"), "utf8").split("run").length - 1;
  return { folder, give, count };
}

describe("a credential plugin", () => {
  const cases = [
    { name: "without an end is run once", expires: undefined, want: 1 },
    { name: "that expires tomorrow is run once", expires: new Date(Date.now() + 86_400_000).toISOString(), want: 1 },
    {
      name: "that expires within the minute is run again",
      expires: new Date(Date.now() + 30_000).toISOString(),
      want: 3,
    },
    { name: "that expired is run again", expires: "2020-01-01T00:00:00Z", want: 3 },
    { name: "whose end is not a time is run once", expires: "soon", want: 1 },
  ];
  it.each(cases)("$name", async ({ expires, want }) => {
    const { give, count } = usePlugin(expires);
    for (let time = 0; time < 3; time += 1) expect((await give()).headers["authorization"]).toBe("Bearer t");
    expect(count()).toBe(want);
  });

  it("is run once for requests that come together", async () => {
    const { give, count } = usePlugin();
    await Promise.all([give(), give(), give()]);
    expect(count()).toBe(1);
  });

  it("that fails is run again by the next request, and no error contains its output", async () => {
    const { folder, give, count } = usePlugin();
    writeFileSync(join(folder, "fail"), "");
    const error: unknown = await give().catch((caught: unknown) => caught);
    expect(String(error)).toBe("Error: /bin/sh failed: no");
    rmSync(join(folder, "fail"));
    expect((await give()).headers["authorization"]).toBe("Bearer t");
    expect(count()).toBe(2);
  });

  it("that is not installed is named, with the advice of the kubeconfig", async () => {
    const exec = { apiVersion: "v1", command: "no-such-plugin", provideClusterInfo: false, installHint: "get it at x" };
    const give = createCredentials({ cluster, user: { exec } });
    await expect(give()).rejects.toThrow("there is no command no-such-plugin; get it at x");
  });

  it("gets only the variables that it needs, and those of the kubeconfig", async () => {
    const { folder } = usePlugin();
    for (const [name, value] of Object.entries({
      MESHROLL_GIT_TOKEN: "secret",
      MESHROLL_NATS_URL: "nats://me:secret@bus",
      REDIS_PASSWORD: "secret",
      NODE_OPTIONS: "--max-old-space-size=4000",
      DATABASE_URL: "postgres://me:secret@db",
      GITHUB_TOKEN: "secret",
      AWS_PROFILE: "prod",
      AWS_WEB_IDENTITY_TOKEN_FILE: "/var/run/token",
      GOOGLE_APPLICATION_CREDENTIALS: "/etc/google.json",
      CLOUDSDK_CONFIG: "/etc/gcloud",
      AZURE_CLIENT_ID: "7",
      AAD_LOGIN_METHOD: "workloadidentity",
      HTTPS_PROXY: "http://proxy:3128",
      LC_ALL: "C",
    }))
      vi.stubEnv(name, value);
    const script = `env > "${folder}/env"; cat "${folder}/answer"`;
    const env = [{ name: "TENANT", value: "shop" }];
    const exec = { apiVersion: "v1", command: "/bin/sh", args: ["-c", script], env, provideClusterInfo: false };
    await createCredentials({ cluster, user: { exec } })();
    const given = readFileSync(join(folder, "env"), "utf8");
    const names = given.split("\n").flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    for (const name of ["PATH", "HOME", "KUBERNETES_EXEC_INFO", "TENANT", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"])
      expect(names).toContain(name);
    for (const name of ["GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "AZURE_CLIENT_ID", "AAD_LOGIN_METHOD"])
      expect(names).toContain(name);
    expect(names).toEqual(expect.arrayContaining(["HTTPS_PROXY", "LC_ALL"]));
    expect(given).not.toContain("secret");
    expect(names).not.toContain("NODE_OPTIONS");
  });

  it("with another answer is refused, without quoting it", async () => {
    const exec = { apiVersion: "v1", command: "/bin/echo", args: ["secret"], provideClusterInfo: false };
    await expect(createCredentials({ cluster, user: { exec } })()).rejects.toThrow(
      /^\/bin\/echo answered no ExecCredential$/,
    );
  });
});
