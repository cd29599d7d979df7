/** What must be closed at the end of a process, in reverse order of opening. */
export interface Closers {
  add(name: string, close: () => Promise<void> | void): void;
  /** Closes all; reports faults and continues with the others. */
  closeAll(onFault: (name: string, error: unknown) => void): Promise<void>;
}

/** An empty list of closers. */
export function createClosers(): Closers {
  const open: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  return {
    add: (name, close) => void open.push({ name, close }),
    async closeAll(onFault) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        try {
          await last.close();
        } catch (error) {
          onFault(last.name, error);
        }
      }
    },
  };
}
