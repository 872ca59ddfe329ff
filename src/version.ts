/** Written in by build.mjs; tests of the sources have none. */
declare const UMPIRE_VERSION: string | undefined;

/** Of the package. */
export const version: string = typeof UMPIRE_VERSION === "undefined" ? "0.0.0" : UMPIRE_VERSION;
