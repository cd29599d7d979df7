import { listLogins, listOtherLogins, type LoginRights, makePassword } from "../../logins/list-logins.ts";

/** A login of the servers that the demo and the tests start. */
export interface OwnLogin extends LoginRights {
  readonly password: string;
}

/** The logins of an installation with these clusters, and of a second one, each with a random password. */
export function makeOwnLogins(
  installation: string,
  clusters: readonly string[] = [],
  other?: string,
): readonly OwnLogin[] {
  const others = other === undefined ? [] : listOtherLogins({ installation: other, clusters }, clusters);
  const all = [...listLogins(installation, clusters, clusters), ...others];
  return all.map((login) => ({ ...login, password: makePassword() }));
}

export function findPassword(logins: readonly OwnLogin[], name: string): string | undefined {
  return logins.find((login) => login.name === name)?.password;
}
