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
