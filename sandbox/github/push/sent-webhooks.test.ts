import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { oneFile, startTestEnvironment, type TestEnvironment } from "../test-world.ts";

interface Received {
  readonly event: string;
  readonly delivery: string;
  readonly signed: boolean;
  // eslint-disable-next-line typescript/no-explicit-any -- a test walks through GitHub's payloads
  readonly body: any;
}

const secret = "s3cret";
const here = "/repos/acme/mesh";
let environment: TestEnvironment;
let receiver: Server;
let received: Received[];

beforeEach(async () => {
  received = [];
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      received.push({
        event: String(request.headers["x-github-event"]),
        delivery: String(request.headers["x-github-delivery"]),
        signed: request.headers["x-hub-signature-256"] === signature,
        body: JSON.parse(body.toString()),
      });
      response.writeHead(202).end();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  environment = await startTestEnvironment({
    ...oneFile,
    webhooks: [{ url: `http://127.0.0.1:${port}/hooks`, secret }],
  });
});
afterEach(async () => {
  await environment.close();
  receiver.close();
});

async function settled(): Promise<readonly string[]> {
  await environment.github.settle();
  return received.map(({ event, body }) => (body.action === undefined ? event : `${event} ${body.action}`)).toSorted();
}

describe("webhooks", () => {
  it("are sent for pushes, pull requests, reviews, checks and comments, each signed and with its own id", async () => {
    const head = environment.remote.commitTo("b", { files: { x: "1\n" }, message: "On b" });
    const { number } = (await environment.ask("bot", "POST", `${here}/pulls`, { head: "b", base: "main", title: "T" }))
      .body;
    environment.remote.commitTo("b", { files: { x: "2\n" } });
    await environment.ask("ada", "POST", `${here}/pulls/${number}/reviews`, { event: "APPROVE" });
    await environment.ask("ada", "POST", `${here}/issues/${number}/comments`, { body: "/meshroll pause 🛑" });
    await environment.ask("bot", "POST", `${here}/check-runs`, { name: "ci", head_sha: head, conclusion: "success" });
    await environment.ask("ada", "PUT", `${here}/pulls/${number}/merge`);
    expect(await settled()).toEqual([
      "check_run completed",
      "issue_comment created",
      "pull_request closed",
      "pull_request opened",
      "pull_request synchronize",
      "pull_request_review submitted",
      "push",
      "push",
      "push",
    ]);
    expect(received.every((entry) => entry.signed)).toBe(true);
    expect(new Set(received.map((entry) => entry.delivery)).size).toBe(received.length);
    const first = received.find(({ event, body }) => event === "push" && body.created === true);
    expect(first?.body).toMatchObject({
      ref: "refs/heads/b",
      after: head,
      head_commit: { message: "On b" },
      repository: { full_name: "acme/mesh" },
    });
    const closed = received.find(({ body }) => body.action === "closed");
    expect(closed?.body).toMatchObject({
      sender: { login: "ada" },
      pull_request: { merged: true, merged_by: { login: "ada" } },
    });
  });

  it("are sent for a forced push and for a deleted branch, which closes its pull request", async () => {
    const main = environment.remote.head("main") ?? "";
    environment.remote.commitTo("b", { files: { x: "1\n" } });
    await environment.ask("bot", "POST", `${here}/pulls`, { head: "b", base: "main", title: "T" });
    environment.remote.commitToMain({ files: { y: "1\n" } });
    await environment.github.notice();
    environment.remote.force("main", main);
    await environment.github.notice();
    environment.remote.removeBranch("b");
    await environment.github.notice();
    await environment.github.settle();
    expect(received.filter(({ body }) => body.forced === true).map(({ body }) => body.after)).toEqual([main]);
    expect(received.filter(({ body }) => body.deleted === true).map(({ body }) => body.ref)).toEqual(["refs/heads/b"]);
    expect(received.filter(({ body }) => body.action === "closed").map(({ body }) => body.pull_request.merged)).toEqual(
      [false],
    );
  });

  it("go to a receiver that is down, and stop nothing", async () => {
    receiver.close();
    receiver.closeAllConnections();
    environment.remote.commitToMain({ files: { a: "5" } });
    await environment.github.notice();
    await environment.github.settle();
    expect(environment.github.deliveries.at(-1)).toMatchObject({ event: "push", status: 0 });
  });
});
