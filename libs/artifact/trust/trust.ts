import { z } from "zod";

const roles = z.strictObject({
  root: z.string().max(600_000),
  timestamp: z.string().max(20_000).optional(),
  snapshot: z.string().max(2_100_000).optional(),
  targets: z.string().max(5_100_000).optional(),
});

/** The signed metadata of the last check, as text by role. Older metadata is refused. */
export type Trust = z.infer<typeof roles>;

/** Reads what was stored; undefined where it is incomplete or something else. */
export function readTrust(text: string): Trust | undefined {
  try {
    return roles.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function printTrust(trust: Trust): string {
  return JSON.stringify(trust);
}
