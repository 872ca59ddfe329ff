import { fileURLToPath } from "node:url";

/** Folder of the package under test. */
export const PACKAGE_ROOT = new URL("../../", import.meta.url);

/** URL of the folder of the pack used in the tests. */
export const PACK_URL = new URL("models/umpire-2/", PACKAGE_ROOT);

export const packageRootPath = fileURLToPath(PACKAGE_ROOT);
