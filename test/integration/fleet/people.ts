/** Tokens of the people in a fleet's GitHub and of meshroll's own account. */
export const tokens = {
  ana: "token-of-ana-for-tests",
  ben: "token-of-ben-for-tests",
  meshroll: "token-of-meshroll-for-tests",
} as const;

export const users = [
  { login: "ana", token: tokens.ana, admin: true },
  { login: "ben", token: tokens.ben },
  { login: "meshroll", token: tokens.meshroll },
];

/** The person who merges by pushing to main. */
export const ana = { name: "ana", email: "ana@example.com" };
