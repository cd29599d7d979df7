import { isClusterName } from "#libs/events";
import { isInstallationId } from "#libs/input";

import type { OtherInstallation } from "./list-logins.ts";

const variable = "MESHROLL_OTHER_INSTALLATIONS";

function readOne(text: string): OtherInstallation {
  const [installation = "", ...clusters] = text.trim().split(":");
  if (!isInstallationId(installation))
    throw new Error(
      `${variable}: ${JSON.stringify(installation)} is not an id that meshroll init prints: write ID:CLUSTER:CLUSTER,ID:CLUSTER`,
    );
  if (clusters.length === 0)
    throw new Error(
      `${variable}: installation ${installation} names no cluster: write ${installation}:CLUSTER:CLUSTER`,
    );
  const wrong = clusters.find((name) => !isClusterName(name));
  if (wrong !== undefined)
    throw new Error(
      `${variable}: ${JSON.stringify(wrong)} of ${installation} is not the name of a cluster: use [a-z0-9-]`,
    );
  return { installation, clusters };
}

/**
 * Parses `ID:CLUSTER:CLUSTER,ID:CLUSTER`: installations that use the same NATS and Redis as `own`. Empty for an empty text.
 * Throws with what is wrong and the right form.
 */
export function readOthers(text: string, own: string): readonly OtherInstallation[] {
  const others = text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => readOne(part));
  const ids = [own, ...others.map(({ installation }) => installation)];
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice === undefined) return others;
  throw new Error(
    `${variable}: ${twice} is there twice, or is MESHROLL_INSTALLATION: name each other installation once`,
  );
}
