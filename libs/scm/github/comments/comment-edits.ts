import { z } from "zod";

import { readBanMs, readStatus } from "../../http/classify.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import type { Wire } from "../calls/wire.ts";

/** As many nodes as one query may name. */
const mostIds = 100;

const query =
  "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id lastEditedAt includesCreatedEdit } } }";

const node = z.object({
  id: z.string(),
  lastEditedAt: z.string().nullish(),
  includesCreatedEdit: z.boolean().nullish(),
});
/** Null: it is gone, or this token may not see it. */
const answer = z.object({ nodes: z.array(node.nullable().catch(null)) });

/** Whether a comment was ever edited; `unknown`: GitHub does not report. */
export type EditFact = "edited" | "untouched" | "unknown";

function isHidden(error: unknown): boolean {
  const status = readStatus(error)?.status ?? 0;
  return ([403, 404].includes(status) && readBanMs(error, 0) === undefined) || isGraphqlRefusal(error);
}

/** GitHub answers 200, and what it does not report stands among the errors. */
function isGraphqlRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === "GraphqlResponseError";
}

/**
 * Asks which of these comments were edited, by their node ids. REST has times of whole seconds: an edit within the second of the
 * writing is seen only here. Not remembered: a comment that is untouched now may be edited within the same second still.
 */
export async function readEdits(
  { octokit }: Pick<Wire, "octokit">,
  ids: readonly string[],
  doing: string,
): Promise<ReadonlyMap<string, EditFact>> {
  const facts = new Map<string, EditFact>(ids.map((id) => [id, "unknown"]));
  for (let from = 0; from < ids.length; from += mostIds) {
    try {
      const data = await octokit.graphql(query, { ids: ids.slice(from, from + mostIds) });
      for (const each of parseAnswer(answer, data, doing).nodes) {
        if (each === null || !facts.has(each.id)) continue;
        const isEdited = (each.lastEditedAt ?? null) !== null || each.includesCreatedEdit === true;
        facts.set(each.id, isEdited ? "edited" : "untouched");
      }
    } catch (error) {
      if (!isHidden(error)) throw error;
    }
  }
  return facts;
}
