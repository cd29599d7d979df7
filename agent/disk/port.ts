/** Writes one file; bytes are on the disk for sure only after `sync`. */
export interface FileWriter {
  write(chunk: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Stat {
  readonly kind: "file" | "folder" | "link" | "other";
  /** In bytes. */
  readonly size: number;
  /** With setuid and its like: `0o755`. */
  readonly mode: number;
}

/**
 * The disk, with what a power cut does to it in view: a change of a folder (a new name, a rename, a removal) is certain only after
 * `syncFolder` of it. Throws as Node does.
 */
export interface Disk {
  /** The file's text; undefined when there is none, or more than `mostBytes` of it. */
  readText(path: string, mostBytes: number): Promise<string | undefined>;
  read(path: string): AsyncIterable<Uint8Array>;
  /** Names in a folder, sorted; empty when there is none. */
  list(path: string): Promise<readonly string[]>;
  /** Where a symbolic link points; undefined when there is none. */
  readLink(path: string): Promise<string | undefined>;
  /** Of the name itself: a link is not followed. */
  stat(path: string): Promise<Stat | undefined>;
  freeBytes(path: string): Promise<number>;
  /** Also its parents. */
  makeFolder(path: string): Promise<void>;
  /** A new file; fails where something has the name, also a link. */
  create(path: string): Promise<FileWriter>;
  /** Goes on with a file, or begins it. */
  append(path: string): Promise<FileWriter>;
  setMode(path: string, mode: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A symbolic link. */
  link(target: string, path: string): Promise<void>;
  /** A file, or a folder with all that is in it; done when there is none. */
  remove(path: string): Promise<void>;
  syncFolder(path: string): Promise<void>;
}
