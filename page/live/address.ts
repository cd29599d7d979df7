import { computed, signal } from "@preact/signals";

/** The address contains all choices, so that a link shows others the same. */
const href = signal(location.href);

/** A decoded part of the path; one with an invalid encoding is used as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The decoded parts of the path: `["namespaces", "shop"]`; empty at the start page. */
export const parts = computed(() =>
  new URL(href.value).pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decodePart),
);
const query = computed(() => new URL(href.value).searchParams);

/** A choice in the address; empty = none. */
export function readChoice(name: string): string {
  return query.value.get(name) ?? "";
}

/** The present address with other choices; empty ones are left out. */
export function withChoices(choices: Readonly<Record<string, string>>): string {
  const url = new URL(href.value);
  for (const [name, value] of Object.entries(choices)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/** A path of the page at the moment that the address shows. */
export function keepTime(path: string): string {
  const at = readChoice("at");
  return at === "" ? path : `${path}?at=${encodeURIComponent(at)}`;
}

/** Changes choices without an entry in the browser's history: each letter of a filter would be one. */
export function choose(choices: Readonly<Record<string, string>>): void {
  history.replaceState(null, "", withChoices(choices));
  href.value = location.href;
}

let moved = false;

/** Whether a link within the page led to the present view. */
export function hasMoved(): boolean {
  return moved;
}

/** Shows another view. */
export function open(target: string): void {
  const [from, at] = [location.pathname, readChoice("at")];
  history.pushState(null, "", target);
  moved = true;
  href.value = location.href;
  // The same place at another time is compared: it stays where it is.
  if (location.pathname !== from || readChoice("at") === at) scrollTo(0, 0);
}

function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}

/** Links within the page change the view without loading; with a modifier key the browser handles them. */
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
