import type { Socket } from "node:net";

/** Groups of an IPv6 address that belong to the network. A client may have all addresses of one network. */
const NETWORK_GROUPS = 4;

/** Who is at the other end of a connection: an IPv4 address, or the network of an IPv6 address. */
export function clientOf({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string {
  if (!remoteAddress.includes(":")) return remoteAddress;
  const [, mapped] = /^::ffff:([\d.]+)$/iu.exec(remoteAddress) ?? [];
  return mapped ?? networkOf(remoteAddress);
}

function networkOf(address: string): string {
  const [before = "", after] = address.replace(/%.*$/u, "").split("::");
  const groups = before === "" ? [] : before.split(":");
  // `::` stands for zeros; what follows it lies in the network part only if little is left out.
  if (after !== undefined) {
    const rest = after === "" ? [] : after.split(":");
    while (groups.length + rest.length < 8) groups.push("0");
    groups.push(...rest);
  }
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::`;
}
