/** What a push asks for: refs to move, and the client's capabilities. */
export interface PushCommands {
  readonly refs: readonly string[];
  readonly capabilities: readonly string[];
}

/** Parses the pkt-lines before the pack: `old new ref`, the first with capabilities after a NUL. */
export function parsePushCommands(body: Buffer): PushCommands {
  const refs: string[] = [];
  let capabilities: readonly string[] = [];
  for (let at = 0; at + 4 <= body.length;) {
    const length = Number.parseInt(body.toString("latin1", at, at + 4), 16);
    if (!(length > 4)) break;
    const [command = "", offered] = body.toString("utf8", at + 4, at + length).split("\0");
    const ref = command.trimEnd().split(" ")[2];
    if (ref !== undefined) refs.push(ref);
    if (offered !== undefined) capabilities = offered.trim().split(" ");
    at += length;
  }
  return { refs, capabilities };
}

function pkt(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

const flush = Buffer.from("0000");

/** The report by which git's client sees every ref of the push as refused. */
export function printRefusal({ refs, capabilities }: PushCommands, why: string): Buffer {
  const lines = ["unpack ok\n", ...refs.map((ref) => `ng ${ref} protected branch hook declined\n`)];
  const report = Buffer.concat([...lines.map((line) => pkt(line)), flush]);
  if (!capabilities.includes("side-band-64k")) return report;
  const band = (channel: number, content: Buffer | string): Buffer =>
    pkt(Buffer.concat([Buffer.from([channel]), Buffer.from(content)]));
  return Buffer.concat([band(2, `error: GH006: ${why}\n`), band(1, report), flush]);
}
