import { z } from "zod";

import { readStatus } from "../http/classify.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import type { Issue, IssueDraft, Scm } from "../port/port.ts";
import type { GiteaClient } from "./client.ts";
import { toLogin } from "./pull-request.ts";

const issue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  html_url: z.string(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
});
const label = z.object({ id: z.int(), name: z.string() });

/** Grey, for labels that are created here. */
const color = "#8c959f";

function toIssue({ number, title, body, user, html_url: url }: z.infer<typeof issue>, login: string): Issue {
  const author = toLogin(user) ?? "ghost";
  const found = { number, title, body: (body ?? "").replaceAll("\r\n", "\n"), author, url };
  return author === login ? { ...found, ours: true } : found;
}

/** Issues of the repository, and labels of issues and pull requests. */
export function createIssues(
  client: GiteaClient,
  askLogin: () => Promise<string>,
): Pick<Scm, "listIssues" | "putIssue" | "addLabels"> {
  const { call } = client;

  /** Gitea takes labels by id; missing ones are created. */
  async function findLabels(wanted: readonly string[], doing: string): Promise<readonly number[]> {
    const known = parseAnswer(z.array(label), await client.list("labels", doing), doing);
    const ids: number[] = [];
    for (const name of wanted) {
      const found = known.find((each) => each.name === name) ?? (await makeLabel(name, doing));
      ids.push(found.id);
    }
    return ids;
  }

  async function makeLabel(name: string, doing: string): Promise<z.infer<typeof label>> {
    return parseAnswer(label, await client.send("POST", "labels", { name, color }), doing);
  }

  async function list(name: string, doing: string): Promise<readonly Issue[]> {
    const answers = await client.list("issues", doing, { type: "issues", labels: name, state: "open" });
    // Gitea ignores a filter that it does not know.
    const found = parseAnswer(z.array(issue), answers, doing).filter(({ labels }) =>
      labels?.some((each) => each.name === name),
    );
    const login = await askLogin();
    return found.map((each) => toIssue(each, login)).toSorted((a, b) => a.number - b.number);
  }

  async function put(marker: string, { title, body, label: name }: IssueDraft, doing: string): Promise<number> {
    const before = (await list(name, doing)).find((each) => each.ours === true && each.body.startsWith(marker));
    if (before === undefined) {
      const made = await client.send("POST", "issues", { title, body, labels: await findLabels([name], doing) });
      return parseAnswer(issue, made, doing).number;
    }
    if (before.body !== body) await client.send("PATCH", `issues/${before.number}`, { body });
    return before.number;
  }

  async function addLabels(number: number, labels: readonly string[], doing: string): Promise<void> {
    try {
      await client.send("POST", `issues/${number}/labels`, { labels: await findLabels(labels, doing) });
    } catch (error) {
      // Another planner created the label meanwhile.
      if (readStatus(error)?.status !== 409) throw error;
      await client.send("POST", `issues/${number}/labels`, { labels: await findLabels(labels, doing) });
    }
  }

  return {
    listIssues: async (name) => {
      const doing = `listing the issues labelled ${name}`;
      return call(doing, async () => list(name, doing));
    },
    putIssue: async (marker, draft) => {
      const doing = `writing the issue ${draft.title}`;
      return call(doing, async () => put(marker, draft, doing));
    },
    addLabels: async (number, labels) => {
      const doing = `labelling pull request ${number}`;
      await call(doing, async () => addLabels(number, labels, doing));
    },
  };
}
