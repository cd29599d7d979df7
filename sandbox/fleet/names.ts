/** Words that make namespaces look like those of a company: `<team>-<service>[-staging]`. */
const teams = ["ads", "booking", "data", "growth", "host", "ledger", "media", "pay", "search", "tax", "trust", "ux"];
const services = ["api", "auth", "feed", "index", "ingest", "mail", "price", "quote", "rank", "store", "sync", "web"];

/** So many namespaces, the same for everybody: every third of them for staging, and the pinned one of Airbnb's example. */
export function nameNamespaces(count: number): readonly string[] {
  const names = ["istio-e2e"];
  for (let i = 0; names.length < count; i += 1) {
    const team = teams[i % teams.length] ?? "team";
    const service = services[Math.floor(i / teams.length) % services.length] ?? "app";
    const round = Math.floor(i / (teams.length * services.length));
    const base = round === 0 ? `${team}-${service}` : `${team}-${service}-${round + 1}`;
    names.push(i % 3 === 0 ? `${base}-staging` : base);
  }
  return names;
}
