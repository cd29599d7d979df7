import { computed, signal } from "@preact/signals";

/** The address holds all that a person chose: a link shows the same to another one. */
const href = signal(location.href);

/** A part of the path without its percent signs; what means nothing is taken as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parts of the path, of which each may hold any character: `["namespaces", "shop"]`; empty at the start page. */
export const parts = computed(() =>
  new URL(href.value).pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decodePart),
);
const query = computed(() => new URL(href.value).searchParams);

/** What was chosen; empty = nothing. */
export function readChoice(name: string): string {
  return query.value.get(name) ?? "";
}

/** The present address with other choices; an empty one is left out. */
function withChoices(choices: Readonly<Record<string, string>>): string {
  const url = new URL(href.value);
  for (const [name, value] of Object.entries(choices)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/** Chooses without a step in the browser's history: every letter of a filter would be one. */
export function choose(choices: Readonly<Record<string, string>>): void {
  history.replaceState(null, "", withChoices(choices));
  href.value = location.href;
}

let moved = false;

/** Whether a link of ours led to the present view. */
export function hasMoved(): boolean {
  return moved;
}

/** Shows another view. */
export function open(target: string): void {
  history.pushState(null, "", target);
  moved = true;
  href.value = location.href;
  scrollTo(0, 0);
}

function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}

/** Links of ours change the view without loading the page again; with a modifier they are the browser's. */
function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || !isPlain(event) || link.origin !== location.origin || link.hash !== "") return;
  event.preventDefault();
  open(link.pathname + link.search);
}

export function followAddress(): void {
  addEventListener("popstate", () => {
    moved = true;
    href.value = location.href;
  });
  document.addEventListener("click", onClick);
}
