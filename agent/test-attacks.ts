import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { makeKey, readSigners, signStore } from "#libs/artifact";
import type { Report } from "./report/report.ts";
import { readCurrent } from "./slots/slots.ts";
import { makeStore, makeVm, openQuickDisk, platform, type TestStore } from "./test-vm.ts";

const dayMs = 86_400_000;

interface Attack {
  readonly base: string;
  readonly store: TestStore;
}

/** What an attacker does to a store, and the reason that the agent reports. */
export interface Hostile {
  readonly name: string;
  readonly do: (attack: Attack) => void;
  readonly wantCode: string;
  readonly wantMessage: RegExp;
}

interface Json {
  [key: string]: unknown;
}

const metadataOf = ({ store }: Attack): string => join(store.folder, "metadata");

/** Rewrites the manifest of the new artifact and signs it, which needs the keys. */
function signAnother({ store }: Attack, change: (manifest: Json & { files: Json[] }) => void): void {
  const folder = join(store.folder, "targets/1-25-2");
  const path = join(folder, newest(folder));
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Json & { files: Json[] };
  change(manifest);
  const bytes = Buffer.from(JSON.stringify(manifest));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(join(folder, `${sha256}.${platform}.json`), bytes);
  resign(store, (signed) => {
    (signed["targets"] as Json)[`1-25-2/${platform}.json`] = { length: bytes.byteLength, hashes: { sha256 } };
  });
}

function newest(folder: string): string {
  const [name = ""] = readdirSync(folder);
  return name;
}

/** Changes the list of targets and signs it, as a release does. */
function resign(store: TestStore, change: (signed: Json) => void): void {
  const folder = join(store.folder, "metadata");
  const versions = readdirSync(folder).flatMap((name) =>
    /^\d+\.targets\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
  );
  const path = join(folder, `${Math.max(...versions)}.targets.json`);
  const metadata = JSON.parse(readFileSync(path, "utf8")) as { signed: Json };
  change(metadata.signed);
  writeFileSync(path, JSON.stringify(metadata));
  // The next signature continues from the newest list.
  signStore(store.folder, { signers: store.signers, now: Date.now() });
}

function changeFile({ store }: Attack, change: (path: string) => void): void {
  const targets = join(store.folder, "targets/1-25-2");
  const manifest = JSON.parse(readFileSync(join(targets, newest(targets)), "utf8")) as {
    files: { name: string; sha256: string }[];
  };
  const file = manifest.files.find(({ name }) => name === "start");
  change(join(store.folder, "files", file?.sha256 ?? ""));
}

function editTimestamp(attack: Attack, change: (metadata: Json & { signed: Json }) => void): void {
  const path = join(metadataOf(attack), "timestamp.json");
  const metadata = JSON.parse(readFileSync(path, "utf8")) as Json & { signed: Json };
  change(metadata);
  writeFileSync(path, JSON.stringify(metadata));
}

export const attacks: readonly Hostile[] = [
  {
    name: "an artifact that is larger than any disk",
    do: (attack) => signAnother(attack, ({ files: [file = {}] }) => void (file["length"] = 5 * 1024 ** 4)),
    wantCode: "ManifestUnreadable",
    wantMessage: /files\.0\.length/,
  },
  {
    name: "a program that is not among its files",
    do: (attack) => signAnother(attack, (manifest) => void (manifest["start"] = "sh")),
    wantCode: "ManifestUnreadable",
    wantMessage: /not among its executable files/,
  },
  {
    name: "a file that leads out of its folder",
    do: (attack) => signAnother(attack, ({ files: [file = {}] }) => void (file["name"] = "../../../etc/cron.d/x")),
    wantCode: "ManifestUnreadable",
    wantMessage: /not a plain file name/,
  },
  {
    name: "a file with an absolute path",
    do: (attack) => signAnother(attack, ({ files: [file = {}] }) => void (file["name"] = "/etc/passwd")),
    wantCode: "ManifestUnreadable",
    wantMessage: /not a plain file name/,
  },
  {
    name: "a symbolic link",
    do: (attack) => signAnother(attack, ({ files: [file = {}] }) => void (file["link"] = "/etc/shadow")),
    wantCode: "ManifestUnreadable",
    wantMessage: /link/,
  },
  {
    name: "a file that would run as another user (setuid)",
    do: (attack) => signAnother(attack, ({ files: [file = {}] }) => void (file["mode"] = "4755")),
    wantCode: "ManifestUnreadable",
    wantMessage: /mode/,
  },
  {
    name: "a million files",
    do: (attack) =>
      signAnother(attack, (manifest) => {
        const [file] = manifest.files;
        manifest.files = Array.from({ length: 1000 }, (_, index) => ({ ...file, name: `f${index}` }));
      }),
    wantCode: "ManifestUnreadable",
    wantMessage: /more than 64 files/,
  },
  {
    name: "a file that replaces the list of files",
    do: (attack) => signAnother(attack, ({ files: [file = {}] }) => void (file["name"] = "manifest.json")),
    wantCode: "ManifestUnreadable",
    wantMessage: /its own list/,
  },
  {
    name: "the artifact of another revision under this one's name",
    do: (attack) => signAnother(attack, (manifest) => void (manifest["revision"] = "1-24-5")),
    wantCode: "ManifestOfAnother",
    wantMessage: /manifest of 1-24-5/,
  },
  {
    name: "the artifact of another machine's kind",
    do: (attack) => signAnother(attack, (manifest) => void (manifest["platform"] = "linux-riscv64")),
    wantCode: "ManifestOfAnother",
    wantMessage: /linux-riscv64/,
  },
  {
    name: "a file with other bytes",
    do: (attack) =>
      changeFile(attack, (path) => writeFileSync(path, readFileSync(path, "utf8").replace("sleep", "sl33p"))),
    wantCode: "FileAltered",
    wantMessage: /has other bytes/,
  },
  {
    name: "a truncated file",
    do: (attack) => changeFile(attack, (path) => truncateSync(path, 10)),
    wantCode: "FileTooShort",
    wantMessage: /ends after 10 of/,
  },
  {
    name: "a file without an end",
    do: (attack) => changeFile(attack, (path) => writeFileSync(path, Buffer.alloc(5_000_000, "x"))),
    wantCode: "FileTooLong",
    wantMessage: /longer in the store than the/,
  },
  {
    name: "a link in the store in the place of a file",
    do: (attack) =>
      changeFile(attack, (path) => {
        rmSync(path);
        symlinkSync("/etc/hostname", path);
      }),
    wantCode: "StoreUnavailable",
    wantMessage: /not reached/,
  },
  {
    name: "metadata that was signed by another key",
    do: (attack) => {
      const keys = join(attack.base, "strangers");
      mkdirSync(keys);
      for (const role of ["root", "targets", "snapshot", "timestamp"])
        writeFileSync(join(keys, `${role}.pem`), makeKey());
      const other = join(attack.base, "forged");
      cpSync(attack.store.folder, other, { recursive: true });
      rmSync(join(other, "metadata"), { recursive: true });
      signStore(other, { signers: readSigners(keys), now: Date.now() });
      const timestamp = JSON.parse(readFileSync(join(other, "metadata/timestamp.json"), "utf8")) as { signed: Json };
      timestamp.signed["version"] = 100;
      writeFileSync(join(metadataOf(attack), "timestamp.json"), JSON.stringify(timestamp));
    },
    wantCode: "MetadataRefused",
    wantMessage: /timestamp was signed by 0\/1 keys|metadata is refused/,
  },
  {
    name: "metadata without a signature",
    do: (attack) =>
      editTimestamp(attack, (metadata) => void ((metadata.signed["version"] = 99), (metadata["signatures"] = []))),
    wantCode: "MetadataRefused",
    wantMessage: /metadata is refused/,
  },
  {
    name: "metadata that has expired (a store that an attacker froze)",
    do: ({ store }) => void signStore(store.folder, { signers: store.signers, now: Date.now() - 400 * dayMs }),
    wantCode: "MetadataExpired",
    wantMessage: /has expired/,
  },
  {
    name: "metadata that is older than what was seen",
    do: ({ base, store }) => cpSync(join(base, "earlier"), join(store.folder, "metadata"), { recursive: true }),
    wantCode: "MetadataRefused",
    wantMessage: /less than current version/,
  },
  {
    name: "metadata without an end",
    do: (attack) => writeFileSync(join(metadataOf(attack), "timestamp.json"), Buffer.alloc(1_000_000, " ")),
    wantCode: "MetadataRefused",
    wantMessage: /longer than/,
  },
  {
    name: "metadata of another format",
    do: (attack) => writeFileSync(join(metadataOf(attack), "timestamp.json"), '{"signed": 4'),
    wantCode: "MetadataRefused",
    wantMessage: /metadata is refused/,
  },
];

/** The end of an attack: what the agent reports, and what it has let in. */
export interface Withstood {
  readonly report: Report | undefined;
  /** Code of the reason; of a refused artifact that of its refusal. */
  readonly code: string | undefined;
  /** Something of the new artifact is a slot, is live, or was started. */
  readonly isAccepted: boolean;
}

/** A VM runs 1-24-5 and is tagged with 1-25-2, which was attacked. */
export async function playAttack(base: string, { do: attack }: Hostile): Promise<Withstood> {
  const store = makeStore(base);
  const old = store.publish("1-24-5");
  cpSync(join(store.folder, "metadata"), join(base, "earlier"), { recursive: true });
  store.publish("1-25-2");
  const root = join(base, "vm");
  mkdirSync(root);
  const vm = makeVm(root, store);
  const agent = vm.start();
  vm.tag = "1-24-5";
  await vm.settle(agent);
  attack({ base, store });
  vm.tag = "1-25-2";
  const report = await vm.settle(agent, 12);
  const reason = report?.reason;
  const disk = openQuickDisk();
  const slots = await disk.list(vm.places.slots);
  const launched = vm.proxies.launched.map(({ revision }) => revision);
  return {
    report,
    code: reason?.code === "ArtifactRefused" ? reason.refusal.code : reason?.code,
    isAccepted: (await readCurrent(disk, vm.places)) !== old || slots.join() !== old || launched.join() !== "1-24-5",
  };
}
