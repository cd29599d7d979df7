import { z } from "zod";

const answer = z.object({ errors: z.array(z.object({ message: z.string(), type: z.string().optional() })).min(1) });

/** GitHub's message where GraphQL refuses something; undefined for any other error, and for a rate limit. */
export function readRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "GraphqlResponseError") return undefined;
  const first = answer.safeParse(error).data?.errors[0];
  return first === undefined || first.type === "RATE_LIMITED" ? undefined : first.message;
}
