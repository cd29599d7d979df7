import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** A screen reader is told at most so often, ms: it reads to the end what it began. */
const everyMs = 10_000;

/** Says a sentence to screen readers when it is another one, and not too often: the newest counts. */
export function Announcer({ text }: { readonly text: string }) {
  const said = useSignal("");
  const newest = useRef(text);
  newest.current = text;
  useEffect(() => {
    const timer = setInterval(() => void (said.value = newest.current), everyMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="unseen" aria-live="polite">
      {said}
    </p>
  );
}
