/** build.mjs replaces this name by the version. It is undefined when the sources run unbundled, as in tests. */
declare const UMPIRE_VERSION: string | undefined;

/** The package's version. */
export const version: string = typeof UMPIRE_VERSION === "undefined" ? "0.0.0" : UMPIRE_VERSION;
