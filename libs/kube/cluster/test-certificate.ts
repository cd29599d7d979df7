import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** One value of DER: tag, length, bytes. */
function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: readonly Uint8Array[]) => encode(0x30, ...parts);
const name = (text: string) => sequence(encode(0x31, sequence(oids.commonName, encode(0x0c, Buffer.from(text)))));
const time = (at: number) => {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/gu, "");
  return encode(0x18, Buffer.from(digits));
};

/** Object identifiers of X.509 (RFC 5280) and of ECDSA with SHA-256 (RFC 5758). */
const oids = {
  commonName: encode(0x06, Buffer.from([0x55, 0x04, 0x03])),
  alternativeName: encode(0x06, Buffer.from([0x55, 0x1d, 0x11])),
  ecdsaWithSha256: encode(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])),
} as const;

const dayMs = 86_400_000;

/** A certificate that signs itself for one DNS name, and its key, as PEM: valid from yesterday to tomorrow, or until an hour ago. */
export function makeTestCertificate(options: { readonly name: string; readonly hasEnded?: true }) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = Date.now();
  const algorithm = sequence(oids.ecdsaWithSha256);
  const alternative = sequence(encode(0x82, Buffer.from(options.name)));
  const signed = sequence(
    encode(0xa0, encode(0x02, Buffer.from([2]))),
    encode(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name(options.name),
    sequence(time(now - dayMs), time(options.hasEnded === true ? now - dayMs / 24 : now + dayMs)),
    name(options.name),
    publicKey.export({ type: "spki", format: "der" }),
    encode(0xa3, sequence(sequence(oids.alternativeName, encode(0x04, alternative)))),
  );
  const signature = encode(0x03, Buffer.from([0]), sign("sha256", signed, privateKey));
  const der = sequence(signed, algorithm, signature).toString("base64").replaceAll(/.{64}/gu, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
