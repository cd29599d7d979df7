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
  /** Others than meshroll may push to the branch, as far as the SCM says. */
  | {
      readonly kind: "unprotected";
      /** `unread`: this token may not read all rules; `untold`: the SCM tells none; `unanswered`: it has not answered yet. */
      readonly because: "open" | "unread" | "untold" | "unanswered";
      /** What the branch takes from others, by the rules that were read. */
      readonly allows: readonly string[];
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
    case "unprotected":
      return { code: "LedgerUnprotected", ...doubt };
    case "otherInstallation":
      return { code: "OtherInstallation", ...doubt };
    case "mainUnread":
      return { code: "MainUnreadable", ...doubt };
  }
}
