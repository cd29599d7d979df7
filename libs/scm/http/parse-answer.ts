import { z } from "zod";

import { ScmUnavailable } from "../port/errors.ts";

/** Only what we use of an API's answers; half an answer or a proxy's page is "unavailable", never a guess. */
export function parseAnswer<T>(schema: z.ZodType<T>, data: unknown, doing: string): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new ScmUnavailable(`${doing} failed: the answer is not one of the API (${z.prettifyError(parsed.error)})`);
}
