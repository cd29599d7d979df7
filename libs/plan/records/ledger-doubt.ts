import type { Reason } from "#libs/wording";

/**
 * Why the newest commit of branch `meshroll/ledger` is not used. While there is a doubt no workload moves, but for a
 * `rollback --now` that is on the bus; decisions see the newest ledger that was read without one.
 */
export type LedgerDoubt =
  | {
      readonly kind: "unreadable";
      readonly commit: string;
      /** Path in the branch, and the field in it, where they are known. */
      readonly file?: string;
      readonly field?: string;
      readonly why: string;
      /** A build of another version wrote it: there is nothing to repair. */
      readonly isOtherVersion?: true;
    }
  /** A commit of main, for a reason that is none of its files': those that do not parse are named one by one. */
  | { readonly kind: "mainUnread"; readonly commit: string; readonly why: string }
  /** It speaks for another installation than this process serves. */
  | { readonly kind: "otherInstallation"; readonly commit: string; readonly installation: string }
  /** Main names who may write the ledger, and none of them signed it. */
  | {
      readonly kind: "unsigned";
      readonly commit: string;
      /** As the commit names it, chosen by its maker. */
      readonly author: string;
      readonly why: string;
    }
  /** Main names who may write the ledger, and this process is to record there: it has none of their keys. */
  | {
      readonly kind: "cannotSign";
      /** The key that it has; absent = none. */
      readonly key?: { readonly fingerprint: string; readonly publicKey: string };
    }
  | {
      readonly kind: "setBack";
      /** The newest commit that was read before. */
      readonly known: string;
      /** Where the branch stands now; absent = it is gone. */
      readonly found?: string;
      /** It contains `known`, and its transitions are fewer. */
      readonly isCountedBack?: true;
    };

/** What people read of it: its fields are the reason's. */
export function nameDoubt(doubt: LedgerDoubt): Reason {
  switch (doubt.kind) {
    case "unreadable":
      return { code: "LedgerUnreadable", ...doubt };
    case "setBack":
      return { code: "LedgerSetBack", ...doubt };
    case "unsigned":
      return { code: "LedgerUnsigned", ...doubt };
    case "cannotSign":
      return { code: "LedgerKeyMissing", ...doubt };
    case "otherInstallation":
      return { code: "OtherInstallation", ...doubt };
    case "mainUnread":
      return { code: "MainUnreadable", ...doubt };
  }
}
