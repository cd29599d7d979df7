import { useSignal } from "@preact/signals";

import { picture } from "../live/past.ts";

/** For so long the button shows its result, ms. */
const saysForMs = 2000;

/** A command that a person may type, and a button that copies it; in a picture it is of then, and has no button. */
export function Command({ text }: { readonly text: string }) {
  if (picture.value === undefined) return <Copied text={text} />;
  return (
    <span class="command">
      <code>{text}</code> <span class="tag">of then</span>
    </span>
  );
}

function Copied({ text }: { readonly text: string }) {
  const said = useSignal("Copy");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied";
    } catch {
      // Without https a browser has no clipboard; the text can be selected by hand.
      said.value = "Select it";
    }
    setTimeout(() => void (said.value = "Copy"), saysForMs);
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${text}`}>
        <span aria-live="polite">{said}</span>
      </button>
    </span>
  );
}
