/** What the page has a view of. */
export type PageView =
  | { readonly code: "Fleet" }
  | { readonly code: "Run"; readonly id: string }
  | { readonly code: "Namespace"; readonly name: string };

/** An address that a person may be given to open: http or https, without a login, and nothing that ends a link. */
export function isPageAddress(text: unknown): text is string {
  if (typeof text !== "string" || text.length > 1000 || !/^https?:\/\/[^\s<>|()[\]"'`\\@]+$/u.test(text)) return false;
  return URL.canParse(text);
}

/** Also what `encodeURIComponent` leaves as it is: in Markdown a bracket ends a link. */
function encodePart(text: string): string {
  const encode = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/gu, encode);
}

function nameView(view: PageView): string {
  if (view.code === "Run") return `/runs/${encodePart(view.id)}`;
  return view.code === "Namespace" ? `/namespaces/${encodePart(view.name)}` : "/";
}

/**
 * The address of a view of the page; `page` is where the page is served, `https://meshroll.example.com`, or below a folder.
 * Undefined where the page has no address that can be shown, such as one of a status that something else wrote.
 */
export function addressPage(page: string | undefined, view: PageView): string | undefined {
  if (!isPageAddress(page)) return undefined;
  const { origin, pathname } = new URL(page);
  return `${origin}${pathname.replace(/\/+$/u, "")}${nameView(view)}`;
}
