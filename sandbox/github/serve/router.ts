import { requireFound } from "../http/http-error.ts";
import type { Hub } from "../state/hub.ts";
import type { Route } from "../http/route.ts";
import { appRoutes } from "../routes/app.ts";
import { authorshipRoutes } from "../routes/pulls/authorship.ts";
import { checkRoutes } from "../routes/checks.ts";
import { commentRoutes } from "../routes/comments.ts";
import { commitRoutes } from "../routes/git/commits.ts";
import { dashboardRoutes } from "../routes/dashboard-issues.ts";
import { deploymentRoutes } from "../routes/deployments.ts";
import { graphqlRoutes } from "../routes/pulls/graphql.ts";
import { issueRoutes } from "../routes/issues.ts";
import { mergeRoutes } from "../routes/pulls/merge.ts";
import { pullRoutes } from "../routes/pulls/pulls.ts";
import { dataRoutes } from "../routes/git/data.ts";
import { refRoutes } from "../routes/git/refs.ts";
import { repositoryRoutes } from "../routes/git/repository.ts";
import { reviewRoutes } from "../routes/pulls/reviews.ts";
import { statusRoutes } from "../routes/statuses.ts";

/** The first match is taken, so longer paths come before shorter ones. @internal */
export const routes: readonly Route[] = [
  ...appRoutes,
  ...repositoryRoutes,
  ...mergeRoutes,
  ...reviewRoutes,
  ...authorshipRoutes,
  ...graphqlRoutes,
  ...pullRoutes,
  ...checkRoutes,
  ...statusRoutes,
  ...commitRoutes,
  ...refRoutes,
  ...dataRoutes,
  ...commentRoutes,
  ...issueRoutes,
  ...dashboardRoutes,
  ...deploymentRoutes,
];

/** Parameters that may hold slashes: branches. */
const long: readonly string[] = ["branch", "basehead", "ref"];

interface Matcher {
  readonly method: string;
  readonly pattern: RegExp;
  readonly route: Route;
}

function compile(route: Route): Matcher {
  const [method = "", template = ""] = route.operation.split(" ");
  const source = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    return long.includes(name) ? `(?<${name}>.*?)` : `(?<${name}>[^/]+)`;
  });
  return { method, pattern: new RegExp(`^${source}/?$`), route };
}

const matchers: readonly Matcher[] = routes.map(compile);

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request. As on GitHub, another repository is not found. */
export function findRoute(hub: Hub, method: string, path: string): Match | undefined {
  for (const matcher of matchers) {
    const found = matcher.method === method ? matcher.pattern.exec(path) : null;
    if (found === null) continue;
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    const here = params["owner"] === undefined || (params["owner"] === hub.owner && params["repo"] === hub.repo);
    requireFound(here ? true : undefined);
    return { route: matcher.route, params };
  }
  return undefined;
}
