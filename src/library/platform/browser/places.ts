/**
 * URL of a folder, with a slash at its end. Relative places start at the page's base URL.
 * @throws {TypeError} for a URL that is not valid, or that has a query or a fragment
 */
export function asFolder(place: string | URL): string {
  // A page's own worker may use umpire, too, and has no document.
  const url = new URL(place, typeof document === "undefined" ? location.href : document.baseURI);
  if (url.search !== "" || url.hash !== "") throw new TypeError("a folder's URL has no query and no fragment");
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url.href;
}

/** Prefix of the URL by which the page names a pack that lies with the package's files. Only the worker's script knows where those are. */
export const BUILT_IN = "built-in:";

/** The larger model, of the npm package umpire-base. A page's makers copy it beside the other packs, or not: nobody knows before it is loaded. */
export const BASE = "umpire-3-base";
