import { z } from "zod";

import { ScmUnavailable } from "../port/errors.ts";

/** Parses the fields that we use. An answer of another shape (cut off, or a proxy's page) throws `ScmUnavailable`. */
export function parseAnswer<T>(schema: z.ZodType<T>, data: unknown, doing: string): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new ScmUnavailable(`${doing} failed: the answer is not one of the API (${z.prettifyError(parsed.error)})`);
}
