import definitions from "@octokit/webhooks-examples" with { type: "json" };
import { expect, test } from "vitest";

import { deliver, openApi } from "./test-api.ts";

interface Payload {
  readonly action?: string;
  readonly ref?: string;
}

// The package is one file of JSON, and its types describe a module.
const examples = definitions as unknown as readonly {
  readonly name: string;
  readonly examples: readonly Payload[];
}[];

/** The examples' repository has the default branch `master`. */
const branch = "master";

/** By event and action, for a push by its ref: what the planner looks at. Every other example gives no hint. */
const wanted: Readonly<Record<string, "pulls" | "main and pulls">> = {
  "push refs/heads/master": "main and pulls",
  "pull_request assigned": "pulls",
  "pull_request closed": "pulls",
  "pull_request converted_to_draft": "pulls",
  "pull_request labeled": "pulls",
  "pull_request locked": "pulls",
  "pull_request opened": "pulls",
  "pull_request ready_for_review": "pulls",
  "pull_request reopened": "pulls",
  "pull_request review_request_removed": "pulls",
  "pull_request review_requested": "pulls",
  "pull_request synchronize": "pulls",
  "pull_request unassigned": "pulls",
  "pull_request unlabeled": "pulls",
  "pull_request unlocked": "pulls",
  "pull_request_review dismissed": "pulls",
  "pull_request_review submitted": "pulls",
  "pull_request_review_thread resolved": "pulls",
  "pull_request_review_thread unresolved": "pulls",
  "issue_comment created": "pulls",
  "issue_comment deleted": "pulls",
  "issue_comment edited": "pulls",
  "check_run completed": "pulls",
  "check_suite completed": "pulls",
  "status ": "pulls",
  "merge_group checks_requested": "pulls",
  "repository renamed": "main and pulls",
  "repository transferred": "main and pulls",
  "installation created": "main and pulls",
  "installation deleted": "main and pulls",
  "installation new_permissions_accepted": "main and pulls",
  "installation suspend": "main and pulls",
  "installation unsuspend": "main and pulls",
  "installation_repositories added": "main and pulls",
  "installation_repositories removed": "main and pulls",
};

function nameHint(hint: unknown): string | undefined {
  const { main, pulls } = (hint ?? {}) as { readonly main?: boolean; readonly pulls?: boolean };
  return pulls === true ? (main === true ? "main and pulls" : "pulls") : undefined;
}

test("all examples that GitHub's Octokit collects are accepted, and give the hints of the table", async () => {
  const opened = await openApi({ branch });
  const [answers, hints] = [new Set<number>(), new Map<string, string>()];
  let count = 0;
  for (const { name, examples: payloads } of examples) {
    for (const payload of payloads) {
      const body = JSON.stringify(payload);
      const { statusCode, json } = await deliver(opened, { body, headers: { "x-github-event": name } });
      answers.add(statusCode);
      const hint = nameHint(json()["hint"]);
      const key = `${name} ${(name === "push" ? payload.ref : payload.action) ?? ""}`;
      if (hint !== undefined) hints.set(key, hint);
      count += 1;
    }
  }
  expect([...answers]).toEqual([202]);
  expect(Object.fromEntries(hints)).toEqual(wanted);
  expect(count).toBe(329);
  expect((await opened.inject("/healthz")).statusCode).toBe(200);
});
