import { z } from "zod";

import { readStatus } from "../../http/classify.ts";
import type { Deployment, Scm } from "../../port/port.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import { createUnseenWrites } from "../calls/unseen-writes.ts";
import { once, type Wire } from "../calls/wire.ts";
import { readPages } from "./read-pages.ts";

const deployment = z.object({ id: z.int() });
const deploymentStatus = z.object({ state: z.string(), description: z.string().nullish() });

/** GitHub's limit for both descriptions. */
const descriptionLength = 140;

function shorten(text: string): string {
  return text.length <= descriptionLength ? text : `${text.slice(0, descriptionLength - 1)}…`;
}

/** Deployments of commits; GitHub shows them next to the commit and in the environment's history. */
export function createDeployments({ octokit, call, here }: Wire): Pick<Scm, "showDeployment"> {
  const unseen = createUnseenWrites<number>();

  /** The id of the commit's deployment to the environment; created where there is none. */
  async function ensure({ sha, environment, description }: Deployment, doing: string): Promise<number> {
    const query = { ...here, sha, environment };
    const found = await readPages(doing, async (page) => octokit.rest.repos.listDeployments({ ...query, ...page }));
    const [first] = parseAnswer(z.array(deployment), found, doing).toSorted((a, b) => a.id - b.id);
    const key = `${sha} ${environment}`;
    const unlisted = unseen.find(key, () => first !== undefined);
    const id = first?.id ?? unlisted;
    if (id !== undefined) return id;
    const made = await octokit.rest.repos.createDeployment({
      ...here,
      ref: sha,
      environment,
      task: "mesh-revision",
      description: shorten(description),
      // It only reports what was merged: GitHub must neither merge anything for it nor wait for checks.
      auto_merge: false,
      required_contexts: [],
      ...once,
    });
    const created = parseAnswer(deployment, made.data, doing).id;
    unseen.note(key, created);
    return created;
  }

  /** At most one. None also where an old answer does not know the deployment yet. */
  async function listNewest(id: number, doing: string): Promise<readonly z.infer<typeof deploymentStatus>[]> {
    try {
      const query = { ...here, deployment_id: id, per_page: 1 };
      const { data } = await octokit.rest.repos.listDeploymentStatuses(query);
      return parseAnswer(z.array(deploymentStatus), data, doing);
    } catch (error) {
      if (readStatus(error)?.status === 404) return [];
      throw error;
    }
  }

  async function setState(id: number, { state, description }: Deployment, doing: string): Promise<void> {
    const line = shorten(description);
    const query = { ...here, deployment_id: id };
    const [newest] = await listNewest(id, doing);
    if (newest?.state === state && newest.description === line) return;
    // GitHub's `auto_inactive` skips production environments, so the caller sets the previous deployment to inactive.
    const body = { ...query, state, description: line, auto_inactive: false };
    await octokit.rest.repos.createDeploymentStatus({ ...body, ...once });
  }

  return {
    showDeployment: async (shown) => {
      const doing = `showing the deployment of ${shown.sha.slice(0, 12)} to ${shown.environment}`;
      await call(doing, async () => setState(await ensure(shown, doing), shown, doing));
    },
  };
}
