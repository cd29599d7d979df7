/** A pull request by its number. Only web addresses become links: another scheme could run code. */
export function PullLink({ number, url }: { readonly number: number; readonly url: string }) {
  const text = `#${number}`;
  return /^https?:\/\//.test(url) ? (
    <a href={url} rel="noreferrer">
      {text}
    </a>
  ) : (
    <>{text}</>
  );
}
