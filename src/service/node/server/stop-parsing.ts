import type { Duplex } from "node:stream";

/** What Node's HTTP parser calls and fills. */
interface Parser {
  onIncoming?: () => number;
  incoming?: unknown;
}

/**
 * Keeps Node from working on what else has arrived on a connection that is about to be closed: up to 64 KiB, which may be a thousand requests or ten
 * thousand chunks of a body, and would take far longer than all else that such a connection costs. Node has no call for it. Its parser stops after
 * headers that are answered with 2, as those of an upgrade are, and throws the rest of a body away if no message takes it.
 */
export function stopParsing(socket: Duplex): void {
  const { parser } = socket as Duplex & { readonly parser?: Parser | null };
  if (!parser) return;
  parser.onIncoming = () => 2;
  parser.incoming = null;
}
