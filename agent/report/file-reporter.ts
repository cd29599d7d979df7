import type { Disk } from "../disk/port.ts";
import type { Report, Reporter } from "./report.ts";

/** Writes the newest report for people and other programs of the VM. It need not survive a power cut. */
export function createFileReporter(disk: Disk, path: string, onFault: (error: unknown) => void): Reporter {
  return {
    async tell(report: Report) {
      const next = `${path}.next`;
      try {
        await disk.remove(next);
        const file = await disk.create(next);
        await file.write(Buffer.from(`${JSON.stringify(report, null, 2)}\n`));
        await file.close();
        await disk.rename(next, path);
      } catch (error) {
        onFault(error);
      }
    },
  };
}
