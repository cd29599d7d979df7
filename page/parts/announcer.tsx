import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Least ms between two announcements, so that a screen reader can finish. */
const everyMs = 10_000;

/** Announces a changed sentence to screen readers, not too often; the newest counts. */
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
