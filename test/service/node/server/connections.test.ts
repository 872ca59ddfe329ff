import { expect, test } from "vitest";
import { slowSenders } from "../../../../src/service/node/server/connections.ts";
import type { Exchange } from "../../../../src/service/node/server/connections.ts";

/** An exchange whose connection has received so many bytes. */
const exchange = (
  bytesRead: number,
  { complete = false, headersSent = false } = {},
): { incoming: { socket: { bytesRead: number }; complete: boolean }; outgoing: { headersSent: boolean } } => ({
  incoming: { complete, socket: { bytesRead } },
  outgoing: { headersSent },
});

test("only bodies that do not grow enough within the time are slow", () => {
  const among = slowSenders({ bodyProgressMs: 5000, bodyProgressBytes: 4096 });
  const [stalled, growing] = [exchange(500), exchange(500)];
  const others = [exchange(9, { complete: true }), exchange(9, { headersSent: true })];
  const at = (nowMs: number, received: number): readonly unknown[] => {
    growing.incoming.socket.bytesRead = received;
    return among([stalled, growing, ...others] as unknown as Exchange[], nowMs);
  };
  expect(at(1000, 500)).toEqual([]);
  expect(at(5999, 500 + 4096)).toEqual([]);
  expect(at(6000, 500 + 4096)).toEqual([stalled]);
  expect(at(10_998, 500 + 2 * 4096 - 1)).toEqual([stalled]);
  expect(at(10_999, 500 + 2 * 4096 - 1)).toEqual([stalled, growing]);
});
