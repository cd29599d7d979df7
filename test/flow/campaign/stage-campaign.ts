const stagesOf = "    - { name: half, set: { production: 50 } }\n    - { name: all, set: { production: 100 } }\n";

/** The shop from `old` to `new`: a half, then all; `more` are further lines of `spec`. */
export function campaignOf(more = "", stages = stagesOf): string {
  return (
    "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: shop }\n" +
    `spec:\n  target: new\n  replaces: [old]\n  owners: ["user:ana"]\n${more}  stages:\n${stages}`
  );
}

export const campaignFile = "campaigns/shop.yml";
