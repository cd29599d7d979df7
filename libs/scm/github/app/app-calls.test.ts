import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it, onTestFinished } from "vitest";

import { type AppCalls, createAppCalls } from "./app-calls.ts";
import { serveUntil } from "../../http/test-server.ts";

const folder = mkdtempSync(join(tmpdir(), "meshroll-app-"));
const file = join(folder, "app.pem");
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(baseUrl: string): AppCalls {
  return createAppCalls({ baseUrl, owner: "acme", repo: "rollouts", app: { id: "7100", key: { file } } });
}

const questions: readonly (readonly [what: string, ask: (calls: AppCalls) => Promise<unknown>])[] = [
  ["where it is installed", async (calls) => calls.findInstallation()],
  ["for a token", async (calls) => calls.makeToken(1, { contents: "read" })],
];

describe.each(questions)("GitHub, when an App asks %s", (_what, ask) => {
  it.each([301, 302, 303, 307, 308])("redirects with %d: the other host gets no request", async (status) => {
    const heard: string[] = [];
    const other = await serveUntil(onTestFinished, (request, response) => {
      heard.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      const body = { id: 1, permissions: {}, token: "forged", expires_at: "2099-01-01T00:00:00Z" };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const url = await serveUntil(
      onTestFinished,
      (_request, response) => void response.writeHead(status, { location: `${other}/x` }).end(),
    );
    await expect(ask(open(url))).rejects.toThrow(/redirects to http/);
    expect(heard).toEqual([]);
  });

  it("sends an endless answer: it is given up at the size limit", async () => {
    const url = await serveUntil(onTestFinished, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const part = Buffer.alloc(64 * 1024, 0x20);
      const more = (): void =>
        void (response.writable && (response.write(part) ? setImmediate(more) : response.once("drain", more)));
      more();
    });
    await expect(ask(open(url))).rejects.toThrow(/its answer is longer than 1 MiB/);
  });
});
