/** How the page names a pack of the package: its files are where the worker's script, or a bundler, has put them. */
export const BUILT_IN = "built-in:";
