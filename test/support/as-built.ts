import { readFileSync } from "node:fs";
import { PACKAGE_ROOT } from "./package-root.ts";

// A setup file of each project: the sources have the package's version, as build.mjs gives it to them. The built worker works for no other.
const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE_ROOT), "utf8")) as { readonly version: string };
Object.assign(globalThis, { UMPIRE_VERSION: version });
