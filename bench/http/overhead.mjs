// Measures the overhead of HTTP over decide() for one caller. Calls over a socket and direct calls alternate in one process with one worker, so that
// other load affects both alike. The client only writes ready-made bytes to a socket.
import { connect } from "node:net";
import { once } from "node:events";
import { startChild } from "./child.mjs";
import { medianDifference, percentiles } from "./figures.mjs";
import { decideRequest } from "./request.mjs";

const WARM_UP_CALLS = 20;

/** Latencies of `calls` calls to each form of the service, and of calls to decide() in between. */
export async function measureOverhead({ calls, instantCalls }) {
  const child = startChild("overhead-server.mjs", decideRequest, { stdout: "ignore" });
  const { urls, secret } = await child.ask({ ask: "urls" });
  const direct = { name: "decide()", ask: () => child.ask({ ask: "decide" }) };
  // First: it also lets the server's code be compiled, as it is in a service that runs for longer than a minute.
  const instant = await inTurns(callersOf(urls.instant, secret), instantCalls);
  const model = await inTurns([direct, ...callersOf(urls.model, secret)], calls);
  const cpuMs = new Map();
  for (const caller of callersOf(urls.instant, secret)) cpuMs.set(caller.name, await cpuMsOf(child, caller, instantCalls));
  await child.stop();
  const forms = Object.keys(urls.model).map((form) => ({
    form,
    overhead: medianDifference(model.get(form), model.get(direct.name)),
    latency: percentiles(model.get(form)),
    instant: percentiles(instant.get(form)),
    cpuMs: cpuMs.get(form),
  }));
  return { calls, instantCalls, decide: percentiles(model.get(direct.name)), forms };
}

async function inTurns(callers, calls) {
  const latencies = new Map(callers.map(({ name }) => [name, []]));
  for (let i = -WARM_UP_CALLS; i < calls; i++) {
    // Every other round runs backwards, so that no form always follows the same one.
    for (const { name, ask } of i % 2 === 0 ? callers : callers.toReversed()) {
      const ms = await ask();
      if (i >= 0) latencies.get(name).push(ms);
    }
  }
  for (const { close } of callers) close?.();
  return latencies;
}

/** The server's processor time per call, the figure that other load affects least. */
async function cpuMsOf(child, { ask, close }, calls) {
  const before = await child.ask({ ask: "cpu" });
  for (let i = 0; i < calls; i++) await ask();
  const after = await child.ask({ ask: "cpu" });
  close();
  return (after.user + after.system - before.user - before.system) / 1000 / calls;
}

function callersOf(urls, secret) {
  return Object.entries(urls).map(([name, url]) => callerOf(name, new URL(url), secret));
}

/** Sends requests over one keep-alive connection. Returns the ms from the first byte sent to the last byte of the reply. */
function callerOf(name, { hostname, port, host }, secret) {
  const body = JSON.stringify(decideRequest);
  const head = [
    "POST /decision/v1/model HTTP/1.1",
    `host: ${host}`,
    `authorization: Bearer ${secret}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  const ask = async () => {
    const startMs = performance.now();
    socket.write(bytes);
    for (let reply = ""; ;) {
      const [chunk] = await once(socket, "data");
      reply += chunk.toString("latin1");
      if (!isWhole(reply)) continue;
      if (!reply.startsWith("HTTP/1.1 200 ")) throw new Error(`The service answered ${reply.split("\r\n", 1)}`);
      return performance.now() - startMs;
    }
  };
  return { name, ask, close: () => socket.destroy() };
}

function isWhole(reply) {
  const headBytes = reply.indexOf("\r\n\r\n") + 4;
  if (headBytes < 4) return false;
  return reply.length >= headBytes + Number(/\r\ncontent-length: (\d+)\r\n/i.exec(reply)[1]);
}
