/** Rules that apply to branch `meshroll/ledger`. */
export interface LedgerRules {
  /**
   * Their types, in the words of GitHub's rulesets; absent where this server has no such rules or this token may not read them.
   */
  readonly ledgerRules?: readonly string[];
  /** This token cannot read part of the branch's protection: there may be more rules than `ledgerRules`. */
  readonly ledgerUnread?: true;
}

/** What a rule of each type forbids; together they leave the branch to accounts that may bypass them. */
const demanded: readonly (readonly [type: string, forbids: string])[] = [
  ["non_fast_forward", "forced pushes"],
  ["deletion", "deletion"],
  ["update", "pushes of others than meshroll"],
];

/** Whether only meshroll may push to the ledger's branch. */
export type LedgerProtection =
  | { readonly kind: "protected" }
  /** `allows`: what others than meshroll may do to the branch. */
  | { readonly kind: "open"; readonly allows: readonly string[] }
  /** The readable rules allow this; rules that this token may not read may forbid it. */
  | { readonly kind: "unread"; readonly allows: readonly string[] }
  /** The server has no such rules, or this token may not read them. */
  | { readonly kind: "untold" };

export function judgeLedgerRules({ ledgerRules, ledgerUnread }: LedgerRules): LedgerProtection {
  if (ledgerRules === undefined) return { kind: "untold" };
  const allows = demanded.filter(([type]) => !ledgerRules.includes(type)).map(([, forbids]) => forbids);
  if (allows.length === 0) return { kind: "protected" };
  return { kind: ledgerUnread === true ? "unread" : "open", allows };
}
