import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";

import type { Scm } from "../port/port.ts";
import { openGitea } from "./gitea.ts";

async function openOn(listener: RequestListener): Promise<Scm> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return openGitea({ baseUrl, owner: "acme", repo: "rollouts", token: "a-token-of-ours", retryBaseMs: 1 });
}

async function openWith(body: unknown): Promise<Scm> {
  return openOn((_request, response) => void response.end(typeof body === "string" ? body : JSON.stringify(body)));
}

describe("another server in place of Gitea", () => {
  it("with an endless list is given up after the page limit", async () => {
    const page = JSON.stringify(Array.from({ length: 50 }, () => ({})));
    let pages = 0;
    const scm = await openOn((_request, response) => {
      pages += 1;
      response.end(page);
    });
    await expect(scm.reviews(7)).rejects.toThrow("the list has no end");
    expect(pages).toBe(400);
  });

  it.each([
    { name: "a page of a proxy", body: "<h1>hello</h1>" },
    { name: "nothing", body: "" },
    { name: "a list where an object is due", body: [] },
    {
      name: "an object of other fields",
      body: { __proto__: { permission: "admin" }, permission: { toString: "admin" } },
    },
  ])("that answers $name gives no one a right and nothing an approval", async ({ body }) => {
    const scm = await openWith(body);
    const permission = await scm.permissionOf("ada").catch((error: Error) => error.name);
    expect(["none", "ScmUnavailable"]).toContain(permission);
    expect(await scm.reviews(7).catch((error: Error) => error.name)).not.toContainEqual(
      expect.objectContaining({ state: "approved" }),
    );
  });

  it("a dismissed or pending review, or one with the state `constructor`, is no approval", async () => {
    const user = { login: "ada" };
    const commit = "a".repeat(40);
    const scm = await openOn((_request, response) => {
      const states = ["PENDING", "REQUEST_REVIEW", "constructor", "__proto__", "approved"];
      const odd = states.map((state) => ({ user, state, commit_id: commit }));
      const dismissed = { user, state: "APPROVED", commit_id: commit, dismissed: true };
      response.setHeader("x-total-count", "6").end(JSON.stringify([...odd, dismissed]));
    });
    expect(await scm.reviews(7)).toEqual([{ author: "ada", state: "dismissed", commit, at: 0 }]);
  });
});
