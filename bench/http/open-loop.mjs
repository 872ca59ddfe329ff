// Makes the load of independent callers, who arrive at a given rate whether or not others have been answered. Each stream's arrivals are a Poisson
// process. autocannon cannot do this, because its connections wait for their answers, and so never send more than the service can handle.
// Latency counts from the time a request was due, so a generator that falls behind cannot hide it. The generator's own lag is reported, too.
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerParent, nextBody } from "./child.mjs";
import { percentiles } from "./figures.mjs";

const TIMEOUT_MS = 60_000;

/** Streams: `{ name, perSecond, secret }`. */
answerParent(async ({ url, streams, seconds }) => {
  const agent = new Agent({ keepAlive: true });
  const lags = [];
  const results = await Promise.all(streams.map((stream) => runStream(stream, { url, agent, seconds, lags })));
  agent.destroy();
  return { lag: percentiles(lags), streams: results };
});

async function runStream({ name, perSecond, secret }, { url, agent, seconds, lags }) {
  const statuses = {};
  const latencies = new Map();
  const calls = [];
  let withoutRetryAfter = 0;
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  let lastAcceptedMs = startMs;
  const call = async (dueMs) => {
    lags.push(performance.now() - dueMs);
    const { status, retryAfter } = await ask(url, agent, secret);
    const nowMs = performance.now();
    statuses[status] = (statuses[status] ?? 0) + 1;
    latencies.set(status, latencies.get(status) ?? []);
    latencies.get(status).push(nowMs - dueMs);
    if (status === 200) lastAcceptedMs = nowMs;
    if (status === 429 && retryAfter === undefined) withoutRetryAfter++;
  };
  for (let dueMs = startMs; ;) {
    dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond;
    if (dueMs > endMs) break;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    calls.push(call(dueMs));
  }
  await Promise.all(calls);
  const answeredSeconds = (lastAcceptedMs - startMs) / 1000;
  return {
    name,
    offeredPerSecond: calls.length / seconds,
    acceptedPerSecond: (statuses[200] ?? 0) / answeredSeconds,
    refusedPerSecond: (statuses[429] ?? 0) / seconds,
    sent: calls.length,
    statuses,
    withoutRetryAfter,
    accepted: percentiles(latencies.get(200) ?? []),
    refused: percentiles(latencies.get(429) ?? []),
  };
}

/** Resolves with the status once the whole reply has arrived, or with the error's code. */
function ask(url, agent, secret) {
  return new Promise((resolve) => {
    const body = Buffer.from(nextBody());
    const headers = {
      "content-type": "application/json",
      "content-length": body.length,
      ...(secret && { authorization: `Bearer ${secret}` }),
    };
    const sent = request(url, { agent, method: "POST", headers, timeout: TIMEOUT_MS }, (reply) => {
      reply.resume().once("end", () => resolve({ status: reply.statusCode, retryAfter: reply.headers["retry-after"] }));
      reply.once("error", ({ code }) => resolve({ status: code }));
    });
    sent.once("error", ({ code }) => resolve({ status: code }));
    sent.once("timeout", () => sent.destroy(Object.assign(new Error("timeout"), { code: "TIMEOUT" })));
    sent.end(body);
  });
}
