import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../support/http-server.ts";
import type { HttpServer } from "../../support/http-server.ts";
import { foreignBodies } from "../../support/foreign-bodies.ts";
import { quickRequest } from "../../support/long-requests.ts";
import { mutatedBodies } from "../../support/mutated-bodies.ts";
import type { MutatedBody } from "../../support/mutated-bodies.ts";
import { sharedDecider } from "../../support/shared-decider.ts";

/** What the service does with bodies that are invalid, or almost. `npm run attack` sends them for as long as it is told. */

const COUNT = 500;
const SEED = Number(process.env["UMPIRE_SEED"] ?? 6);
const CONNECTIONS = 4;
const PATHS = ["/decision/v1/model", "/v1/systemone"];
const REQUEST = JSON.stringify({ model: "latest", ...quickRequest });

interface Reply {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
}

/** What is wrong with a reply; undefined if it keeps the contract. */
function complaintAbout({ kind, bytes }: MutatedBody, reply: Reply | "hung up"): string | undefined {
  // A client that sends far too much may be cut off before it sees a reply.
  if (reply === "hung up") return bytes.length > 1_048_576 ? undefined : `${kind}: the server hung up`;
  const { status, contentType, text } = reply;
  if (![200, 400, 404, 413, 415, 422].includes(status)) return `${kind}: ${status} ${text.slice(0, 200)}`;
  if (contentType !== "application/json") return `${kind}: ${status} is ${contentType}`;
  const body = JSON.parse(text) as { model?: unknown; error?: { message?: unknown; code?: unknown }; detail?: unknown };
  if (status === 200) return body.model === "umpire-2" ? undefined : `${kind}: 200 without an answer`;
  const { error, detail } = body;
  const keeps =
    typeof error?.message === "string" &&
    typeof error.code === "string" &&
    (status === 422 ? Array.isArray(detail) : typeof detail === "object");
  return keeps ? undefined : `${kind}: ${status} of another shape: ${text.slice(0, 200)}`;
}

let server: HttpServer;
/** What the log and the metrics are made of. */
const served: unknown[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
beforeAll(async () => {
  server = await startServer({ decider: sharedDecider, onServed: (one) => void served.push(one) });
});
afterAll(async () => {
  agent.destroy();
  await server.close();
});

/** "hung up": the server closed the connection while the body was being sent. */
function send(path: string, { bytes, headers = {} }: Omit<MutatedBody, "kind">): Promise<Reply | "hung up"> {
  return new Promise((resolve) => {
    const sent = request(`${server.url}${path}`, { agent, method: "POST", headers: { "content-type": "application/json", ...headers } });
    sent.once("response", (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => {
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers["content-type"],
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.on("error", () => {
      resolve("hung up");
    });
    sent.end(bytes);
  });
}

describe(`${COUNT} mutated bodies (seed ${SEED})`, () => {
  it("never cause a 5xx, every reply keeps the contract, and the server answers as before", async () => {
    const before = await send("/v1/systemone", { bytes: Buffer.from(REQUEST) });
    const bodies = mutatedBodies(COUNT, SEED);
    expect(bodies.length).toBeGreaterThanOrEqual(COUNT);
    const complaints: string[] = [];
    const statuses = new Map<string, number>();
    const left = bodies.entries();
    const sender = async (): Promise<void> => {
      for (const [i, body] of left) {
        const reply = await send(PATHS[i % 2] ?? "", body);
        const outcome = reply === "hung up" ? reply : String(reply.status);
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
        const complaint = complaintAbout(body, reply);
        if (complaint !== undefined) complaints.push(complaint);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    expect(complaints).toEqual([]);
    // Every kind of reply occurred, so the bodies were varied enough.
    expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining(["200", "400", "413", "415", "422"]));
    expect(await send("/v1/systemone", { bytes: Buffer.from(REQUEST) })).toEqual(before);
    expect(sharedDecider.stats()).toEqual({ pendingCalls: 0, workers: 1, workersStarted: 1 });
  });
});

describe(`${COUNT} mutated bodies of other clients (seed ${SEED})`, () => {
  const [TEXT, KEY] = ["plantedtext", "sk-plantedkey"];

  it("never cause a 5xx, and no error and no log holds their text or the caller's key", async () => {
    served.length = 0;
    const complaints: string[] = [];
    const statuses = new Set<string>();
    for (const { path, headers, ...body } of foreignBodies(COUNT, SEED, TEXT)) {
      const reply = await send(path, { ...body, headers: { ...headers, authorization: `Bearer ${KEY}` } });
      const complaint = complaintAbout(body, reply);
      if (complaint !== undefined) complaints.push(`${path}: ${complaint}`);
      if (reply === "hung up") continue;
      statuses.add(`${path} ${reply.status}`);
      if (reply.text.includes(KEY) || (reply.status !== 200 && reply.text.includes(TEXT))) complaints.push(`${path}: ${reply.text}`);
    }
    expect(complaints).toEqual([]);
    expect([...statuses]).toEqual(
      expect.arrayContaining(["/v1/decisions 200", "/v1/decisions 400", "/api/alpha/decisions 200", "/api/alpha/decisions 422"]),
    );
    expect(served.length).toBeGreaterThan(COUNT / 2);
    expect(inspect(served, { depth: null, maxArrayLength: null })).not.toMatch(new RegExp(`${TEXT}|${KEY}`, "u"));
  });
});

describe("requests with a wrong length", () => {
  /** Everything the server replies to these bytes before the connection ends. */
  const exchange = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      const chunks: Buffer[] = [];
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.once("error", reject);
      socket.once("close", () => {
        resolve(Buffer.concat(chunks).toString());
      });
      socket.write(bytes);
      setTimeout(() => socket.end(), 100);
    });
  const head = "POST /v1/systemone HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";

  it.each([
    ["more than is sent", `${head}content-length: 500\r\n\r\n${REQUEST}`],
    ["less than is sent", `${head}content-length: 10\r\n\r\n${REQUEST}`],
    ["two lengths", `${head}content-length: 10\r\ncontent-length: 11\r\n\r\n${REQUEST}`],
    ["a negative length", `${head}content-length: -1\r\n\r\n${REQUEST}`],
    ["an enormous length", `${head}content-length: 99999999999999999999\r\n\r\n${REQUEST}`],
    ["a length above the limit, but no body", `${head}content-length: 10485760\r\n\r\n`],
    ["both a length and chunks", `${head}content-length: 10\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
    ["chunks that are cut off", `${head}transfer-encoding: chunked\r\n\r\nffff\r\n${REQUEST}`],
    ["chunks without a size", `${head}transfer-encoding: chunked\r\n\r\nzz\r\n${REQUEST}\r\n0\r\n\r\n`],
  ])("%s: no 5xx, and the server keeps working", async (_, bytes) => {
    expect(await exchange(bytes)).toMatch(/^(?:$|HTTP\/1\.1 4\d\d )/u);
    expect(await send("/v1/systemone", { bytes: Buffer.from(REQUEST) })).toMatchObject({ status: 200 });
  });
});
