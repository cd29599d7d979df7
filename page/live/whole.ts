import { signal } from "@preact/signals";

/** All rows of a table are elements, not only those in view: on paper, and in a report. */
export const isWhole = signal(false);

export function followPrinting(): void {
  addEventListener("beforeprint", () => void (isWhole.value = true));
  addEventListener("afterprint", () => void (isWhole.value = false));
}
