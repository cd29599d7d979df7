import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { findFreePort } from "../../../scripts/brokers/free-port.ts";
import { allMigrated, makeInstant } from "../../world/campaigns/campaign-instant.ts";
import { usePage } from "../bed/use-page.ts";
import { findNginx } from "./find-nginx.ts";

// The how-to's configuration in a real nginx: without TLS, at a free port, and with a password of the test.

const nginx = await findNginx();
const bed = usePage();
const folder = mkdtempSync(join(tmpdir(), "meshroll-nginx-"));
/** For the browser, which knows names below `localhost` itself, and for this process. */
let [url, direct] = ["", ""];
let process: ChildProcess | undefined;

function readHowTo(): string {
  const page = readFileSync(new URL("../../../docs/how-to/show-the-page.md", import.meta.url), "utf8");
  return /```nginx\n(.*?)```/s.exec(page)?.[1] ?? "";
}

async function writeConfig(): Promise<string> {
  const port = await findFreePort();
  [url, direct] = [`http://meshroll.localhost:${port}`, `http://127.0.0.1:${port}`];
  const users = join(folder, "users");
  writeFileSync(users, "ana:{PLAIN}secret\n");
  const server = readHowTo()
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("meshroll.example.com", "meshroll.localhost")
    .replaceAll(/^\s*ssl_.*\n/gm, "")
    .replace("/etc/nginx/meshroll.users", users)
    .replaceAll("http://127.0.0.1:8080", bed().api.url);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(" ");
  const file = join(folder, "nginx.conf");
  const own = `daemon off; pid ${join(folder, "pid")}; error_log stderr; events {}`;
  writeFileSync(file, `${own}\nhttp { access_log off; ${paths}\n${server}}\n`);
  return file;
}

beforeAll(async () => {
  // `npm run test:page` leaves this file out where no nginx can be had.
  if (nginx === undefined) throw new Error("no nginx is here: install one, or have apt-get");
  // Started by root, it serves as another user.
  chmodSync(folder, 0o755);
  const args = ["-c", await writeConfig(), "-p", folder, "-e", "stderr"];
  process = spawn(nginx.path, args, { env: nginx.env, stdio: ["ignore", "ignore", "inherit"] });
  await bed().planner.publish(makeInstant());
});

/** Waits until nginx serves; without a login it answers 401. */
async function waitForNginx(): Promise<void> {
  await expect.poll(async () => (await fetch(direct).catch(() => undefined))?.status).toBe(401);
}

afterAll(async () => {
  if (process?.exitCode === null) {
    process.kill();
    await once(process, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
});

it("behind nginx the page asks for a login, and is live with it", async () => {
  await waitForNginx();
  const context = await bed().browser.newContext({ httpCredentials: { username: "ana", password: "secret" } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText("live", { exact: true }).waitFor();
  const failed = page.getByRole("heading", { name: /^Failures/ });
  await expect.poll(() => failed.textContent()).toContain("1 workload in");
  await bed().planner.publish(makeInstant({ progress: allMigrated }));
  await expect.poll(() => failed.textContent()).toContain("none");
  await context.close();
});

it("webhooks need no login, as they are signed", async () => {
  await waitForNginx();
  const answer = await fetch(`${direct}/webhooks/github`, { method: "POST", body: "{}" });
  expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([503, "WebhooksOff"]);
});
