// build.mjs replaces these names. They are undefined when the sources run unbundled, as in tests.
declare const UMPIRE_VERSION: string | undefined;
declare const UMPIRE_SEALS: string | undefined;
declare const UMPIRE_BASE_BYTES: number | undefined;

/** The package's version. */
export const version: string = typeof UMPIRE_VERSION === "undefined" ? "0.0.0" : UMPIRE_VERSION;

/** Seals of the packs that came with the package: SHA-256 of their manifests, which were checked when it was built. */
export const sealsOfThisBuild: readonly string[] = typeof UMPIRE_SEALS === "undefined" ? [] : UMPIRE_SEALS.split(" ");

/** Bytes of the pack in the package umpire-base, as it was when this package was built. */
export const baseBytes: number | undefined = typeof UMPIRE_BASE_BYTES === "undefined" ? undefined : UMPIRE_BASE_BYTES;
