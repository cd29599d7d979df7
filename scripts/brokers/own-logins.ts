import { listLogins, type LoginRights, makePassword } from "../logins/list-logins.ts";

/** A login of the servers that the demo and the tests start for themselves. */
export interface OwnLogin extends LoginRights {
  readonly password: string;
}

/** The logins of an installation with these clusters, each with a password that only this process knows. */
export function makeOwnLogins(clusters: readonly string[] = []): readonly OwnLogin[] {
  return listLogins(clusters, clusters).map((login) => ({ ...login, password: makePassword() }));
}

export function findPassword(logins: readonly OwnLogin[], name: string): string | undefined {
  return logins.find((login) => login.name === name)?.password;
}
