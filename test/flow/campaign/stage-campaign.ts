const stagesOf = "    - { name: half, set: { production: 50 } }\n    - { name: all, set: { production: 100 } }\n";

/** A campaign from `old` to `new`: half, then all. `more`: further lines of `spec`. */
export function campaignOf(more = "", stages = stagesOf): string {
  return (
    "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: shop }\n" +
    `spec:\n  target: new\n  replaces: [old]\n  owners: ["user:ana"]\n${more}  stages:\n${stages}`
  );
}

export const campaignFile = "campaigns/shop.yml";

/** `rollouts.yml` with these percentages of `production` and of `pay-.*` on `new`, the rest on `old`. */
export const fileOfTwo = (production: number, pay: number): string =>
  `production:\n  old: ${100 - production}\n  new: ${production}\npay-.*:\n  old: ${100 - pay}\n  new: ${pay}\n`;

/** A campaign that moves each of its buckets to `new` in two stages; `more`: further lines of `spec`. */
export function printCampaign(name: string, buckets: readonly string[], more = ""): string {
  const set = (share: number): string => buckets.map((bucket) => `"${bucket}": ${share}`).join(", ");
  return (
    `apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: ${name} }\n` +
    `spec:\n  target: new\n  replaces: [old]\n  owners: ["user:ana"]\n${more}  stages:\n` +
    `    - { name: half, set: { ${set(50)} } }\n    - { name: all, set: { ${set(100)} } }\n`
  );
}
