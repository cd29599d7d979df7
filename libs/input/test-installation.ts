/** The id of the installation that tests and examples speak of. */
export const testInstallation = "testmeshroll";
