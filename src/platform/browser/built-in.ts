/** Prefix of the URL by which the page names one of the package's own packs. Only the worker's script knows where their files are. */
export const BUILT_IN = "built-in:";
