import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** A field of SSH's wire format. */
function field(data: Buffer | string): Buffer {
  const bytes = Buffer.from(data);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Who signs, and for what: as ssh-keygen makes a signature, with each part open to a forger. */
export interface PlantedKey {
  /** In base64, as it is behind `ssh-ed25519` in `ledger.signers`. */
  readonly publicKey: string;
  /** The value of a commit's header `gpgsig`, over this content; `use`: what the signature was made for. */
  readonly sign: (content: string, use?: string, shown?: string) => string;
}

export function plantKey(): PlantedKey {
  const pair = generateKeyPairSync("ed25519");
  const x = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const publicKey = Buffer.concat([field("ssh-ed25519"), field(x)]).toString("base64");
  return {
    publicKey,
    sign(content, use = "git", shown = publicKey) {
      const digest = createHash("sha512").update(content).digest();
      const about = [field(use), field(""), field("sha512")];
      const signed = Buffer.concat([Buffer.from("SSHSIG"), ...about, field(digest)]);
      const inner = Buffer.concat([field("ssh-ed25519"), field(sign(null, signed, pair.privateKey))]);
      const head = Buffer.concat([Buffer.from("SSHSIG"), Buffer.from([0, 0, 0, 1])]);
      const whole = Buffer.concat([head, field(Buffer.from(shown, "base64")), ...about, field(inner)]);
      const lines = whole.toString("base64").match(/.{1,70}/gu) ?? [];
      return ["-----BEGIN SSH SIGNATURE-----", ...lines, "-----END SSH SIGNATURE-----"].join("\n");
    },
  };
}

/** A commit as git keeps it, without a signature. */
export function plantCommit(message: string): string {
  const who = "planner <planner@example.org> 1767225600 +0000";
  return `tree ${"0".repeat(40)}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`;
}

/** The same with a header `gpgsig` behind its others. */
export function addSignature(content: string, signature: string): Buffer {
  const end = content.indexOf("\n\n") + 1;
  return Buffer.from(`${content.slice(0, end)}gpgsig ${signature.replaceAll("\n", "\n ")}\n${content.slice(end)}`);
}
