import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { requestOf } from "../requests.mjs";

const AT_ONCE = 8;
const MEMBER = gzipSync(Buffer.alloc(50e6, 32), { level: 9 });
const json = JSON.stringify(requestOf({ q: { type: "noul", instructions: "?" } }));
const start = Buffer.from(json.slice(0, -1));
/** A frame of zstd with `count` blocks of 128 KiB of one repeated byte. */
const zstdOf = (count) =>
  Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38), ...Array.from({ length: count }, () => Buffer.of(0x02, 0x00, 0x10, 32))]);

const BOMBS = [
  ["gzip", MEMBER],
  // Members follow each other: a gigabyte in a megabyte.
  ["gzip", Buffer.concat(Array.from({ length: 20 }, () => MEMBER))],
  ["gzip", Buffer.concat([gzipSync(start), MEMBER])],
  ["gzip", gzipSync(gzipSync(Buffer.alloc(50e6, 32)))],
  ["deflate", deflateSync(Buffer.alloc(200e6))],
  ["deflate", deflateRawSync(Buffer.alloc(200e6))],
  ["zstd", zstdOf(10_000)],
  ["zstd", Buffer.concat([zstdOf(8), zstdOf(10_000)])],
  ["gzip, gzip", gzipSync(MEMBER)],
  ["gzip, zstd", MEMBER],
  ["br", MEMBER],
];

export const bombs = {
  name: "decompression bombs (gzip, deflate, zstd, nested)",
  promise: "400, 413, 415 or 422, memory +128 MB at most",
  needs: { keys: ["honest", "attacker"] },
  allows: { growthMb: 128 },
  seconds: { short: 3, full: 20 },
  async run({ target, seen, isOver }) {
    let next = 0;
    const caller = async () => {
      while (next < BOMBS.length * 2 || !isOver()) {
        const [encoding, body] = BOMBS[next++ % BOMBS.length];
        seen.reply(await target.ask(body, { headers: { "content-encoding": encoding } }), [400, 413, 415, 422, 429, "hung up"]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
  },
};
