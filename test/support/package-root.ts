import { fileURLToPath } from "node:url";

/** The folder of the package under test. */
export const PACKAGE_ROOT = new URL("../../", import.meta.url);

/** The pack that every test runs: URL of its folder. */
export const PACK_URL = new URL("models/umpire-2/", PACKAGE_ROOT);

export const packageRootPath = fileURLToPath(PACKAGE_ROOT);
