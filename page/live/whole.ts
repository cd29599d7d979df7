import { signal } from "@preact/signals";

/** Whether all rows of a table are rendered, not only those in view: for printing and reports. */
export const isWhole = signal(false);

export function followPrinting(): void {
  addEventListener("beforeprint", () => void (isWhole.value = true));
  addEventListener("afterprint", () => void (isWhole.value = false));
}
