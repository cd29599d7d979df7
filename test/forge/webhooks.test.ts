import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import {
  findGitea,
  type GiteaAccounts,
  type GiteaServer,
  makeRepository,
  openAccounts,
  startGitea,
} from "#sandbox/gitea";

import { readHint } from "../../services/api/hints/hint.ts";
import { signatureHeader, verifySignature } from "../../services/api/hints/verify-signature.ts";
import { openPushes, type Pushes } from "./bed/pushes.ts";

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const secret = "a-secret-of-sixteen-and-more";
const deliveries: Delivery[] = [];
const receiver = createServer((request, answer) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    deliveries.push({ headers: request.headers, body: Buffer.concat(parts) });
    answer.end();
  });
});

let server: GiteaServer;
let forge: GiteaAccounts;
let pushes: Pushes;

beforeAll(async () => {
  server = await startGitea(await findGitea({ env: process.env, log: () => undefined }));
  forge = await openAccounts(server, ["ada", "bob"]);
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/github`;
  await makeRepository(forge, {
    owner: "acme",
    repo: "rollouts",
    rights: { ada: "write", bob: "write" },
    files: { "rollouts.yml": "none\n" },
    requiredChecks: ["meshroll/plan"],
    requiredReviews: 0,
    ledgerWriters: [],
    webhook: { url, secret },
  });
  pushes = openPushes(forge, "acme/rollouts", ["ada"]);
});

afterAll(async () => {
  pushes.close();
  receiver.closeAllConnections();
  receiver.close();
  await server.close();
});

async function listHints(): Promise<readonly string[]> {
  const found = deliveries.map(async ({ headers, body }) => {
    const isOurs = await verifySignature(body, String(headers[signatureHeader]), [secret]);
    const event = String(headers["x-github-event"]);
    const hint = readHint(event, JSON.parse(body.toString("utf8")), "main");
    const what = [hint?.main === true ? "main" : "", hint?.pulls === true ? "pulls" : ""].filter((each) => each !== "");
    return `${event}${isOurs ? "" : " (not signed)"}: ${what.join(" and ")}`;
  });
  return Promise.all(found);
}

test("Gitea signs its webhooks as GitHub does, and they give the same hints", async () => {
  await pushes.commitTo("main", { files: { "rollouts.yml": "one\n" }, author: "ada" });
  const head = await pushes.commitTo("half", { files: { "rollouts.yml": "two\n" }, author: "ada" });
  const draft = { head: "half", base: "main", title: "Half" };
  const { body } = await forge.ask("ada", "POST", "/repos/acme/rollouts/pulls", draft);
  const comment = { body: "/meshroll status" };
  await forge.ask("ada", "POST", `/repos/acme/rollouts/issues/${body.number}/comments`, comment);
  await forge.ask("bob", "POST", `/repos/acme/rollouts/pulls/${body.number}/reviews`, { event: "APPROVED", body: "" });
  const status = { context: "meshroll/plan", state: "success" };
  await forge.ask("ada", "POST", `/repos/acme/rollouts/statuses/${head}`, status);
  const reviewed = ["pull_request_approved: pulls", "issue_comment: pulls", "status: pulls"];
  const want = ["push: main and pulls", "pull_request: pulls", ...reviewed];
  await vi.waitFor(async () => expect(await listHints()).toEqual(expect.arrayContaining(want)), 30_000);
  expect((await listHints()).filter((line) => line.includes("not signed"))).toEqual([]);
});
