import { annotate, type Reader, refine } from "./field.ts";
import { readFields } from "./read-fields.ts";
import { readWords } from "./read-list.ts";
import { readForm } from "./readers.ts";

/** What the file says of the ledger. */
interface LedgerFields {
  readonly signers: readonly string[];
}

/**
 * The line of a `.pub` file of ssh-keygen, to the letter: 51 bytes are 68 characters without padding, and the first 19 of them are
 * the same in each ed25519 key.
 */
const publicKey = /^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-P][A-Za-z0-9+/]{42}(?: [ -~]{1,100})?$/u;

const wanted = "the public key of an ed25519 key pair, as the file ending in .pub has it";
const help = "make one: ssh-keygen -t ed25519 -N '' -C meshroll-planner -f ledger-key; ledger-key.pub has the line";

/** The comment behind a key says nothing: two lines of one key are the same signer. */
const readSigner: Reader<string> = refine(readForm(publicKey, 200, wanted, help), (text) =>
  text.split(" ", 2).join(" "),
);

/** `ledger: {signers: [...]}` */
export const readLedgerFields = readFields<LedgerFields>(
  {
    signers: annotate(
      readWords(readSigner, { least: 1, most: 10, example: "signers: [ssh-ed25519 AAAA… meshroll-planner]" }),
      "Public keys (ssh-ed25519) of those who may write branch meshroll/ledger: no process goes by a commit that none of them signed.",
    ),
  },
  ["signers"],
);
