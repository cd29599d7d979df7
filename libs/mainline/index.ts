export { createMainline } from "./mainline.ts";
export type { Mainline, MainlineView } from "./mainline.ts";
