import { type Scm, ScmUnavailable } from "#libs/scm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { oneFile, startTestEnvironment, type TestEnvironment } from "./test-world.ts";

const here = "/repos/acme/mesh";
const marker = "<!-- meshroll:status -->";
const dashboard = "<!-- meshroll:dashboard -->";
const pulls = `${here}/pulls`;

let environment: TestEnvironment;
let head: string;
beforeEach(async () => {
  environment = await startTestEnvironment(oneFile);
  head = environment.remote.commitTo("b", { files: { x: "1\n" } });
  await environment.ask("ada", "POST", pulls, { head: "b", base: "main", title: "T" });
  environment.remote.commitTo("c", { files: { y: "1\n" } });
});
afterEach(async () => environment.close());

/** No read shows what is written from now on; returns a function that ends that. */
function lag(): () => void {
  return environment.github.addFault({ on: {}, effect: { kind: "old", byMs: 3_600_000 }, times: Infinity });
}

async function read(path: string) {
  return (await environment.ask("ada", "GET", `${here}${path}`)).body;
}

describe("a read that is an hour old", () => {
  it("has the records, branches and ETag of that hour; a write has an answer of its own", async () => {
    const before = await environment.ask("ada", "GET", pulls);
    const end = lag();
    const made = await environment.ask("ada", "POST", pulls, { head: "c", base: "main", title: "C" });
    environment.remote.commitTo("b", { files: { x: "2\n" } });
    const during = await environment.ask("ada", "GET", pulls);
    const one = await environment.ask("ada", "GET", `${pulls}/2`);
    end();
    const after = await environment.ask("ada", "GET", pulls);
    expect([made.status, one.status]).toEqual([201, 404]);
    expect([during.body, during.headers.get("etag")]).toEqual([before.body, before.headers.get("etag")]);
    expect(after.body).toHaveLength(2);
    expect(after.body[1].head.sha).not.toBe(head);
  });
});

describe("meshroll, whose reads are older than its own writes,", () => {
  const plan = { name: "meshroll/plan", title: "12 move", summary: "a table" } as const;
  const draft = { title: "Mesh rollouts", label: "meshroll" };
  const shown = (state: "queued" | "success") => ({ sha: head, environment: "one", state, description: "12" });
  const writes: readonly {
    readonly name: string;
    /** The second of them wants something else. */
    readonly write: readonly ((scm: Scm) => Promise<unknown>)[];
    readonly list: () => Promise<readonly unknown[]>;
    readonly want: readonly unknown[];
  }[] = [
    {
      name: "a pull request",
      write: [async (scm) => scm.openPullRequest({ branch: "c", base: "main", title: "C", body: "" })],
      list: async () => (await read("/pulls?head=acme:c")).map(({ title }: { readonly title: string }) => title),
      want: ["C"],
    },
    {
      name: "a check",
      write: [
        async (scm) => scm.postCheck({ ...plan, headSha: head, state: "pending" }),
        async (scm) => scm.postCheck({ ...plan, headSha: head, state: "success" }),
      ],
      list: async () =>
        (await read(`/commits/${head}/check-runs?filter=all`)).check_runs.map(
          ({ conclusion }: { readonly conclusion: string | null }) => conclusion,
        ),
      want: ["success"],
    },
    {
      name: "a comment",
      write: [
        async (scm) => scm.putComment(1, marker, `${marker}\nIt waits`),
        async (scm) => scm.putComment(1, marker, `${marker}\nIt moves`),
      ],
      list: async () => (await read("/issues/1/comments")).map(({ body }: { readonly body: string }) => body),
      want: [`${marker}\nIt moves`],
    },
    {
      name: "an issue",
      write: [
        async (scm) => scm.putIssue(dashboard, { ...draft, body: `${dashboard}\nnothing` }),
        async (scm) => scm.putIssue(dashboard, { ...draft, body: `${dashboard}\none` }),
      ],
      list: async () => (await read("/issues?labels=meshroll")).map(({ body }: { readonly body: string }) => body),
      want: [`${dashboard}\none`],
    },
    {
      name: "a deployment",
      write: [async (scm) => scm.showDeployment(shown("queued")), async (scm) => scm.showDeployment(shown("success"))],
      list: async () =>
        (await read("/deployments")).map(({ environment: named }: { readonly environment: string }) => named),
      want: ["one"],
    },
  ];
  it.each(writes)("makes $name once, and changes it then", async ({ write, list, want }) => {
    const scm = environment.as("bot");
    const end = lag();
    for (const each of [...write, ...write.slice(-1)]) {
      await each(scm).catch((error: unknown) => {
        if (!(error instanceof ScmUnavailable)) throw error;
      });
    }
    end();
    expect(await list()).toEqual(want);
  });

  it("writes a comment again that a person deleted before a list showed it", async () => {
    const scm = environment.as("bot");
    const gone = { kind: "status", status: 404, body: "{}", headers: { "content-type": "application/json" } } as const;
    environment.github.addFault({ on: { method: "PATCH" }, effect: gone });
    const end = lag();
    await scm.putComment(1, marker, `${marker}\nIt waits`);
    await scm.putComment(1, marker, `${marker}\nIt moves`);
    end();
    expect(await read("/issues/1/comments")).toHaveLength(2);
  });
});
