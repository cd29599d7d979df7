import fc from "fast-check";

/**
 * One seed for every property test, so that a change is judged by its own tests and not by a draw. `MESHROLL_PROPERTY_SEED=random`, or a
 * number, draws others, as the nightly workflow does; a test that fails prints the seed and path that play it again.
 */
const asked = process.env["MESHROLL_PROPERTY_SEED"] ?? "777";
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: asked === "random" ? Date.now() % 2 ** 31 : Number(asked) });
