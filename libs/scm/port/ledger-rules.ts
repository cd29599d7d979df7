/** What an SCM says of the rules that bind branch `meshroll/ledger`. */
export interface LedgerRules {
  /** Their types, in the words of GitHub's rulesets; absent when this server has no such rules, or tells none. */
  readonly ledgerRules?: readonly string[];
  /** The branch is protected in a way that this token may not read: it may be bound by more than `ledgerRules`. */
  readonly ledgerUnread?: true;
}

/** What a rule of each type forbids: all of them together leave the branch to those that may bypass them. */
const demanded: readonly (readonly [type: string, forbids: string])[] = [
  ["non_fast_forward", "forced pushes"],
  ["deletion", "deletion"],
  ["update", "pushes of others than meshroll"],
];

/** Whether only meshroll may push to the ledger's branch. */
export type LedgerProtection =
  | { readonly kind: "protected" }
  /** `allows`: what the branch takes from others. */
  | { readonly kind: "open"; readonly allows: readonly string[] }
  /** By the rules that this token may read it takes that; it may be bound by others. */
  | { readonly kind: "unread"; readonly allows: readonly string[] }
  /** The server has no such rules, or tells none. */
  | { readonly kind: "untold" };

export function judgeLedgerRules({ ledgerRules, ledgerUnread }: LedgerRules): LedgerProtection {
  if (ledgerRules === undefined) return { kind: "untold" };
  const allows = demanded.filter(([type]) => !ledgerRules.includes(type)).map(([, forbids]) => forbids);
  if (allows.length === 0) return { kind: "protected" };
  return { kind: ledgerUnread === true ? "unread" : "open", allows };
}
