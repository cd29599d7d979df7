const stagesOf = "    - { name: half, set: { production: 50 } }\n    - { name: all, set: { production: 100 } }\n";

/** A campaign from `old` to `new`: half, then all. `more`: further lines of `spec`. */
export function campaignOf(more = "", stages = stagesOf): string {
  return (
    "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: shop }\n" +
    `spec:\n  target: new\n  replaces: [old]\n  owners: ["user:ana"]\n${more}  stages:\n${stages}`
  );
}

export const campaignFile = "campaigns/shop.yml";
