import { status } from "./live/connection.ts";
import { saveReport } from "./live/save-report.ts";
import { parts } from "./live/address.ts";
import { past } from "./live/past.ts";
import { Header } from "./views/header.tsx";
import { NoPicture } from "./views/past/no-picture.tsx";
import { PastBanner, PastTimes } from "./views/past/past-banner.tsx";
import { RunView } from "./views/run/run.tsx";
import { Namespace } from "./views/namespace/namespace.tsx";
import { HistoryView } from "./views/history/history.tsx";
import { Home } from "./views/home/home.tsx";

function SaveReport() {
  const at = status.value?.at;
  if (at === undefined) return null;
  return (
    <p>
      <button type="button" class="plain-button" onClick={() => void saveReport(at)}>
        Save this view as a report
      </button>{" "}
      one self-contained HTML file
    </p>
  );
}

/** The view that the address names. */
function View() {
  if (past.value.kind !== "now" && past.value.kind !== "picture") return <NoPicture />;
  const [first, name = ""] = parts.value;
  if (first === "namespaces") return <Namespace key={name} name={name} />;
  if (first === "history") return <HistoryView />;
  return first === "runs" ? <RunView key={name} id={name} /> : <Home />;
}

export function App() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <PastBanner />
      <main id="main">
        <PastTimes />
        <View />
      </main>
      <footer class="quiet">
        <SaveReport />
        Read only: what is shown here is what <code>meshroll status -o json</code> prints and{" "}
        <code>GET /v1/status</code> answers.
      </footer>
    </>
  );
}
