/** Prefix of the URL by which the page names a pack that lies with the package's files. Only the worker's script knows where those are. */
export const BUILT_IN = "built-in:";

/** The larger model, of the npm package umpire-base. A page's makers copy it beside the other packs, or not: nobody knows before it is loaded. */
export const BASE = "umpire-3-base";
