// Makes the load of callers who wait for an answer before they ask again. Runs autocannon in its own process, with one keep-alive connection per
// caller.
import autocannon from "autocannon";
import { answerParent, nextBody } from "./child.mjs";
import { percentiles } from "./figures.mjs";

const TIMEOUT_SECONDS = 60;

answerParent(async ({ url, secret, connections, warmUpSeconds, seconds }) => {
  const statuses = {};
  const accepted = [];
  let countedFromMs = Infinity;
  let countedToMs = -Infinity;
  const startMs = performance.now();
  const run = autocannon({
    url,
    connections,
    duration: warmUpSeconds + seconds,
    timeout: TIMEOUT_SECONDS,
    method: "POST",
    headers: { "content-type": "application/json", ...(secret && { authorization: `Bearer ${secret}` }) },
    requests: [{ setupRequest: (request) => ({ ...request, body: nextBody() }) }],
  });
  // autocannon reports neither the 95th percentile nor percentiles by status.
  run.on("response", (_client, status, _bytes, ms) => {
    const nowMs = performance.now();
    if (nowMs - startMs < warmUpSeconds * 1000) return;
    countedFromMs = Math.min(countedFromMs, nowMs);
    countedToMs = nowMs;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) accepted.push(ms);
  });
  const { errors, timeouts } = await run;
  // Measured from the first counted reply to the last.
  const perSecond = ((accepted.length - 1) * 1000) / (countedToMs - countedFromMs);
  return { connections, perSecond, ...percentiles(accepted), statuses, errors, timeouts };
});
