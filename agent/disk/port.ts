/** Writes one file; its bytes survive a power cut only after `sync`. */
export interface FileWriter {
  write(chunk: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Stat {
  readonly kind: "file" | "folder" | "link" | "other";
  /** In bytes. */
  readonly size: number;
  /** With setuid and similar bits: `0o755`. */
  readonly mode: number;
}

/**
 * The disk. A changed name in a folder (create, rename, remove) survives a power cut only after `syncFolder`. Throws Node's
 * errors.
 */
export interface Disk {
  /** The file's text; undefined when there is none, or when it has more than `mostBytes`. */
  readText(path: string, mostBytes: number): Promise<string | undefined>;
  read(path: string): AsyncIterable<Uint8Array>;
  /** Names in a folder, sorted; empty when there is none. */
  list(path: string): Promise<readonly string[]>;
  /** The target of a symbolic link; undefined when there is none. */
  readLink(path: string): Promise<string | undefined>;
  /** Of the name itself: links are not followed. */
  stat(path: string): Promise<Stat | undefined>;
  freeBytes(path: string): Promise<number>;
  /** Creates its parents as well. */
  makeFolder(path: string): Promise<void>;
  /** A new file; fails where the name exists, also as a link. */
  create(path: string): Promise<FileWriter>;
  /** Continues a file, or creates it. */
  append(path: string): Promise<FileWriter>;
  setMode(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A symbolic link. */
  link(target: string, path: string): Promise<void>;
  /** Removes a file, or a folder with its contents; succeeds when there is none. */
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}
