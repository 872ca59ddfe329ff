// Sends one request and says what came of it.
import { request } from "node:http";

const TIMEOUT_MS = 20_000;

/**
 * Resolves with the reply: { status, text, headers }. The status is "hung up" if the connection broke, "timeout" if nothing came, and "gave up" if
 * `signal` ended it.
 */
export function send(url, { method = "POST", headers = {}, body = "", agent, localAddress, signal, timeoutMs = TIMEOUT_MS } = {}) {
  return new Promise((resolve) => {
    const end = (status, rest = {}) => {
      clearTimeout(timer);
      resolve({ status, text: "", headers: {}, ...rest });
    };
    const timer = setTimeout(() => {
      end("timeout");
      sent.destroy();
    }, timeoutMs);
    const bytes = typeof body === "string" || Buffer.isBuffer(body) || body instanceof Uint8Array ? body : JSON.stringify(body);
    const sent = request(url, {
      agent: agent ?? false,
      method,
      localAddress,
      signal,
      headers: { "content-type": "application/json", ...headers },
    });
    sent.once("response", (reply) => {
      const chunks = [];
      reply.on("data", (chunk) => chunks.push(chunk));
      reply.once("end", () => end(reply.statusCode, { text: Buffer.concat(chunks).toString(), headers: reply.headers }));
      reply.once("error", () => end("hung up"));
    });
    sent.once("error", (error) => end(error.name === "AbortError" ? "gave up" : "hung up", { code: error.code }));
    sent.end(bytes);
  });
}
