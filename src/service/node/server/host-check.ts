import { isIP } from "node:net";

/**
 * Which URLs a server without keys answers: those that name this machine, an IP address, or one of `names`. A page of another site can make its own name
 * lead here and then read the replies, but it cannot do that with an address.
 * @param names in lower case
 */
export function hostCheck(names: readonly string[]): (url: string) => boolean {
  const known = new Set(names);
  return (url) => {
    const name = new URL(url).hostname.replace(/\.$/u, "");
    return known.has(name) || name === "localhost" || name.endsWith(".localhost") || name.startsWith("[") || isIP(name) !== 0;
  };
}
