import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { BodyChunks } from "../../body/body.ts";
import { Arrival } from "../../handler/observation.ts";
import { toResponse, type Reply } from "../../handler/responses.ts";
import { serverReply, type ConnectionError } from "./connection-errors.ts";
import type { Exchange } from "./connections.ts";
import { MAX_HEADERS } from "./node-server.ts";

interface ListenerOptions {
  /** Must not reject. */
  readonly answer: (request: Request, arrival: Arrival) => Promise<Reply>;
  /** Whether the server answers to the host of this URL. */
  readonly isOwnHost: (url: string) => boolean;
  /** Time allowed for sending a reply; a client that takes longer loses its connection. */
  readonly replyMs: number;
  readonly onError: (error: ConnectionError) => void;
  /** Closes a connection, with a reply where possible. */
  readonly close: (error: ConnectionError, socket: Socket) => void;
}

/** Turns Node's requests into web-standard ones, and sends the replies. */
export function requestListener({ answer, isOwnHost, replyMs, onError, close }: ListenerOptions): (exchange: Exchange) => void {
  const send = (reply: Reply, outgoing: ServerResponse): void => {
    sendReply(reply, outgoing, replyMs, () => {
      onError("slow_reader");
      outgoing.destroy();
    });
  };
  const respond = async (request: Request, incoming: IncomingMessage): Promise<Reply> => {
    if (!isOwnHost(request.url)) {
      onError("wrong_host");
      return serverReply("wrong_host");
    }
    const chunks = incomingChunks(incoming, () => {
      close("tiny_chunks", incoming.socket);
    });
    return answer(request, new Arrival({ client: clientOf(incoming.socket), chunks }));
  };
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      // The casts leave out HTTP/2, which this server does not speak.
      send(await respond(request, incoming as IncomingMessage), outgoing as ServerResponse);
      return RESPONSE_ALREADY_SENT;
    },
    {
      // For HTTP/1.0 clients, which need not send a Host header.
      hostname: "localhost",
      overrideGlobalObjects: false,
      errorHandler: () => {
        onError("malformed");
        return toResponse(serverReply("malformed"));
      },
    },
  );
  return ({ incoming, outgoing }) => {
    if (incoming.rawHeaders.length > 2 * MAX_HEADERS) {
      close("headers_too_long", incoming.socket);
      return;
    }
    const refusal = refusalOf(incoming);
    if (refusal === undefined) return void listener(incoming, outgoing);
    onError("malformed");
    // A proxy in front may have read such a request in another way, and then what follows it, too.
    outgoing.setHeader("connection", "close");
    send(refusal, outgoing);
  };
}

/** The reply to a request that Node accepts, but that no client sends which means well. */
function refusalOf({ headers, httpVersion, rawHeaders }: IncomingMessage): Reply | undefined {
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") return serverReply("unknown_coding");
  // Names and values in turn. In `headers`, Node keeps the first host only.
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === "host").length;
  return hosts > 1 || (hosts === 0 && httpVersion === "1.1") ? serverReply("malformed") : undefined;
}

/** Writes a reply. Calls `onSlow` if the client has not read all of it after `replyMs`. */
export function sendReply({ status, headers, body }: Reply, outgoing: ServerResponse, replyMs: number, onSlow: () => void): void {
  if (outgoing.destroyed) return;
  // A known length keeps Node from sending chunks. As a text, the body leaves together with the headers, in one piece.
  outgoing.writeHead(status, body === null ? headers : { ...headers, "content-length": Buffer.byteLength(body) });
  outgoing.end(body ?? undefined);
  if (outgoing.writableFinished) return;
  const timer = setTimeout(onSlow, replyMs);
  outgoing.once("close", () => {
    clearTimeout(timer);
  });
}

/** A body in more chunks than this has to have chunks of a certain size: Node takes as long for one byte as for a thousand. */
const MANY_CHUNKS = 1024;
const MIN_MEAN_BYTES = 64;

/**
 * The body of a request of Node's. Nothing of it is kept here: a client that sends its body in very small pieces must not cost an object for each.
 * @param onTinyChunks called once if the client cuts its body into very many and very small chunks; it closes the connection
 */
function incomingChunks(incoming: IncomingMessage, onTinyChunks: () => void): BodyChunks {
  const isChunked = incoming.headers["transfer-encoding"] !== undefined;
  return (onChunk) =>
    new Promise((resolve, reject) => {
      let [chunks, sizeBytes] = [0, 0];
      const brokeOff = (): void => {
        reject(new Error("The connection was closed before the body had arrived"));
      };
      const take = (chunk: Buffer): void => {
        chunks++;
        sizeBytes += chunk.length;
        try {
          onChunk(chunk);
        } catch (error) {
          // Without a listener, what still comes is thrown away.
          incoming.off("data", take);
          reject(error instanceof Error ? error : new Error("The chunk was refused", { cause: error }));
        }
        if (!isChunked || chunks <= MANY_CHUNKS || sizeBytes >= chunks * MIN_MEAN_BYTES) return;
        incoming.off("data", take);
        onTinyChunks();
      };
      if (incoming.destroyed) {
        brokeOff();
        return;
      }
      incoming.once("end", resolve).once("error", brokeOff).once("close", brokeOff);
      incoming.on("data", take);
    });
}

/** Groups of an IPv6 address, and those that belong to the network. A client may have all addresses of one network. */
const [GROUPS, NETWORK_GROUPS] = [8, 4];

/** Who is at the other end of a connection: an IPv4 address, or the network of an IPv6 address. */
export function clientOf({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string {
  if (!remoteAddress.includes(":")) return remoteAddress;
  const [, mapped] = /^::ffff:([\d.]+)$/iu.exec(remoteAddress) ?? [];
  return mapped ?? networkOf(remoteAddress);
}

function networkOf(address: string): string {
  const [before = [], after = []] = address
    .replace(/%.*$/u, "")
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  // `::` stands for zeros; what follows it lies in the network part only if little is left out.
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(":")}::`;
}

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
