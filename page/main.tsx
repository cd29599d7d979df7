import { render } from "preact";

import { followAddress } from "./live/address.ts";
import { connect } from "./live/connection.ts";
import { startClock } from "./live/fleet-clock.ts";
import { followPast } from "./live/past.ts";
import { followPrinting } from "./live/whole.ts";
import { App } from "./app.tsx";

const place = document.querySelector("#app");
if (place === null) throw new Error("index.html has no #app");
startClock();
followAddress();
followPast();
followPrinting();
connect();
place.replaceChildren();
render(<App />, place);
