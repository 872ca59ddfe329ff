import { DECIDE, shortRequest } from "../requests.mjs";
import { exchange } from "../raw.mjs";

const HIDDEN = "GET /hidden HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
const CHUNKED = "transfer-encoding: chunked\r\n";
const HOST = "host: 127.0.0.1\r\n";
const post = (headers, body = "") => `POST ${DECIDE} HTTP/1.1\r\n${headers}\r\n${body}`;
const chunks = (first) => `${first}\r\nhello\r\n0\r\n\r\n`;

/** Requests in which two programs could see two different ends, each followed by a hidden request. */
const SHAPES = {
  "a length and chunks": post(`${HOST}content-length: 5\r\n${CHUNKED}`, chunks("5")),
  "chunks and a length": post(`${HOST}${CHUNKED}content-length: 0\r\n`, chunks("5")),
  "two lengths": post(`${HOST}content-length: 0\r\ncontent-length: 40\r\n`),
  "two equal lengths": post(`${HOST}content-length: 5\r\ncontent-length: 5\r\n`, "hello"),
  "a list of lengths": post(`${HOST}content-length: 0, 40\r\n`),
  "a negative length": post(`${HOST}content-length: -1\r\n`),
  "a length with a sign": post(`${HOST}content-length: +5\r\n`, "hello"),
  "a length in hex": post(`${HOST}content-length: 0x5\r\n`, "hello"),
  "an enormous length": post(`${HOST}content-length: 99999999999999999999\r\n`),
  "a folded header": post(`${HOST}x: a\r\n content-length: 40\r\n${CHUNKED}`, chunks("5")),
  "a folded encoding": post(`${HOST}transfer-encoding:\r\n chunked\r\ncontent-length: 5\r\n`, "hello"),
  "lines that end with LF": `POST ${DECIDE} HTTP/1.1\nhost: 127.0.0.1\ncontent-length: 0\n\n`,
  "a header that ends with LF": `POST ${DECIDE} HTTP/1.1\r\nhost: 127.0.0.1\ncontent-length: 0\r\n\r\n`,
  "a line that ends with CR": `POST ${DECIDE} HTTP/1.1\r\nhost: 127.0.0.1\rcontent-length: 0\r\n\r\n`,
  "a chunk that ends with LF": post(`${HOST}${CHUNKED}`, "5\nhello\n0\n\n"),
  "a chunk size that overflows": post(`${HOST}${CHUNKED}`, chunks("10000000000000005")),
  "a chunk size with a sign": post(`${HOST}${CHUNKED}`, chunks("+5")),
  "a chunk size with 0x": post(`${HOST}${CHUNKED}`, chunks("0x5")),
  "a chunk that is longer than it says": post(`${HOST}${CHUNKED}`, "3\r\nhello\r\n0\r\n\r\n"),
  "a chunk extension of 100 kB": post(`${HOST}${CHUNKED}`, chunks(`5;${"x".repeat(100_000)}`)),
  "a space before the colon": post(`${HOST}transfer-encoding : chunked\r\n`, chunks("5")),
  "gzip, chunked": post(`${HOST}transfer-encoding: gzip, chunked\r\n`, chunks("5")),
  "chunked, gzip": post(`${HOST}transfer-encoding: chunked, gzip\r\n`, chunks("5")),
  "two encodings": post(`${HOST}${CHUNKED}transfer-encoding: gzip\r\n`, chunks("5")),
  "an encoding that is none": post(`${HOST}transfer-encoding: xchunked\r\n`, chunks("5")),
  "NUL in a header": post(`${HOST}x: a\0b\r\ncontent-length: 0\r\n`),
  "NUL in a name": post(`${HOST}x\0: a\r\ncontent-length: 0\r\n`),
  "a header without a name": post(`${HOST}: a\r\ncontent-length: 0\r\n`),
  "headers of 100 kB": post(`${HOST}x: ${"a".repeat(100_000)}\r\n`),
  "another protocol": `POST ${DECIDE} HTTP/9.9\r\n${HOST}\r\n`,
  "HTTP/2 without asking": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "another method": `SMUGGLE ${DECIDE} HTTP/1.1\r\n${HOST}\r\n`,
};

const body = JSON.stringify(shortRequest);

/** Requests whose end is clear, but not whom they are for. */
const HOSTS = {
  "two hosts": `${HOST}host: attacker.example\r\n`,
  "two equal hosts": HOST.repeat(2),
  "no host": "",
  "a host with a space": "host: 127.0.0.1 attacker.example\r\n",
  "a host with a path": "host: 127.0.0.1/attacker.example\r\n",
  "a host with a user": "host: attacker.example@127.0.0.1\r\n",
};

export const doubtfulHosts = {
  name: "requests with two hosts, none, or half a one",
  promise: "400 or 421",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 1, full: 1 },
  async run({ target, seen }) {
    for (const [name, host] of Object.entries(HOSTS)) {
      const { authorization } = target.headersOf();
      const head = `${host}authorization: ${authorization}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n`;
      const { received, statuses } = await exchange(target.port, post(head, body));
      seen.reply({ status: statuses[0] ?? "closed", text: received });
      seen.expect([400, 421].includes(statuses[0]), `${name}: ${statuses[0]}`);
    }
  },
};

export const smuggling = {
  name: "requests whose end is in doubt",
  promise: "one reply, a 4xx or 501, and the connection is closed; what is hidden is never answered",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 1, full: 10 },
  async run({ target, seen, isOver }) {
    do await Promise.all(Object.entries(SHAPES).map(([name, bytes]) => refused(target, seen, name, bytes)));
    while (!isOver());
  },
};

async function refused(target, seen, name, bytes) {
  const { authorization } = target.headersOf();
  const withKey = bytes.replace(/(?<=HTTP\/1\.1\r\n)/, `authorization: ${authorization}\r\n`);
  const { isClosed, received, statuses } = await exchange(target.port, withKey + HIDDEN);
  seen.reply({ status: statuses[0] ?? "closed", text: received }, [
    "closed",
    400,
    401,
    404,
    405,
    411,
    413,
    415,
    421,
    422,
    429,
    431,
    501,
    505,
  ]);
  seen.expect(isClosed, `${name}: the connection stays open`);
  seen.expect(statuses.length <= 1, `${name}: ${statuses.length} replies (${statuses.join(", ")})`);
}
