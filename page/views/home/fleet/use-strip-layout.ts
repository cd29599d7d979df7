import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";

/** The width of the container, px; it follows the window. */
export function useWidth(box: { readonly current: HTMLDivElement | null }) {
  const width = useSignal(0);
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => void (width.value = Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** Changes when the colours do: between light and dark. */
export function useColourChange() {
  const changes = useSignal(0);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const note = () => void (changes.value += 1);
    query.addEventListener("change", note);
    return () => query.removeEventListener("change", note);
  }, []);
  return changes;
}

/** The cell that a key moves to; undefined for other keys. */
export function stepCell(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  const steps: ReadonlyMap<string, number> = new Map([
    ["ArrowRight", Math.min(last, at + 1)],
    ["ArrowUp", Math.min(last, at + 1)],
    ["ArrowLeft", Math.max(0, at - 1)],
    ["ArrowDown", Math.max(0, at - 1)],
    ["PageDown", Math.min(last, at + 10)],
    ["PageUp", Math.max(0, at - 10)],
    ["Home", 0],
    ["End", last],
  ]);
  return steps.get(key);
}
