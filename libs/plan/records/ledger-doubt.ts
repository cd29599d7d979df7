import type { Reason } from "#libs/wording";

/**
 * Why the newest commit of branch `meshroll/ledger` is not used. While there is a doubt only a `rollback --now` that is on the
 * bus moves workloads; decisions use the newest ledger that was read without a doubt.
 */
export type LedgerDoubt =
  | {
      readonly kind: "unreadable";
      readonly commit: string;
      /** Path in the branch and the field in the file, where known. */
      readonly file?: string;
      readonly field?: string;
      readonly why: string;
      /** A build of another version wrote it: there is nothing to repair. */
      readonly isOtherVersion?: true;
    }
  /** A commit of main cannot be read for another reason than its files, which are reported one by one. */
  | { readonly kind: "mainUnread"; readonly commit: string; readonly why: string }
  /** The ledger belongs to another installation. */
  | { readonly kind: "otherInstallation"; readonly commit: string; readonly installation: string }
  /** Others than meshroll may push to the branch, as far as the SCM says. */
  | {
      readonly kind: "unprotected";
      /**
       * `open`: the rules allow it. `unread`: this token may not read all rules. `untold`: the SCM has no rules to read.
       * `unanswered`: it has not answered yet.
       */
      readonly because: "open" | "unread" | "untold" | "unanswered";
      /** What the rules that were read allow others on the branch. */
      readonly allows: readonly string[];
    }
  | {
      readonly kind: "setBack";
      /** The newest commit that was read before. */
      readonly known: string;
      /** The present head of the branch; absent = the branch is gone. */
      readonly found?: string;
      /** The head contains `known`, but its sequence is lower. */
      readonly isCountedBack?: true;
    };

/** The doubt as a reason: the fields are the same. */
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
