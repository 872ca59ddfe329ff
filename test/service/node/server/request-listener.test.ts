import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Reply } from "../../../../src/service/handler/responses.ts";
import { clientOf, hostCheck, sendReply } from "../../../../src/service/node/server/request-listener.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
  ["2001:db8:1:2::9", "2001:db8:1:2::"],
  ["2001:db8::9", "2001:db8:0:0::"],
  ["fe80::1%eth0", "fe80:0:0:0::"],
  ["::1", "0:0:0:0::"],
  [undefined, ""],
])("the client at %s is %s", (remoteAddress, client) => {
  expect(clientOf({ remoteAddress })).toBe(client);
});

test.each([
  ["http://localhost:8780/", true],
  ["http://LOCALHOST/", true],
  ["http://localhost./", true],
  ["http://umpire.localhost:1/", true],
  ["https://127.0.0.1/", true],
  ["http://127.8.9.1:8780/", true],
  ["http://192.168.1.5:8780/metrics", true],
  ["http://[::1]:8780/", true],
  ["http://umpire.internal:8780/livez", true],
  ["http://attacker.example/", false],
  ["http://localhost.attacker.example/", false],
  ["http://notlocalhost/", false],
  ["http://127.0.0.1.attacker.example/", false],
  ["http://other.umpire.internal/", false],
])("%s: %s", (url, isOwn) => {
  expect(hostCheck(["umpire.internal"])(url)).toBe(isOwn);
});

const HELLO: Reply = { status: 200, headers: {}, body: "hello" };

describe("a slow client", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A response of Node whose client has not read anything yet. */
  const unread = (more: object = {}): ServerResponse =>
    Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false, writeHead: vi.fn(), end: vi.fn(), ...more }) as never;

  test("is reported after the time allowed for sending a reply, not before", () => {
    const onSlow = vi.fn();
    sendReply(HELLO, unread(), 1000, onSlow);
    vi.advanceTimersByTime(999);
    expect(onSlow).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onSlow).toHaveBeenCalledTimes(1);
  });

  test("is not reported if the reply ends in time", () => {
    const [outgoing, onSlow] = [unread(), vi.fn()];
    sendReply(HELLO, outgoing, 1000, onSlow);
    outgoing.emit("close");
    vi.advanceTimersByTime(2000);
    expect(onSlow).not.toHaveBeenCalled();
  });

  test("that is already gone gets no reply and is not reported", () => {
    const [end, onSlow] = [vi.fn(), vi.fn()];
    sendReply(HELLO, unread({ destroyed: true, end }), 1000, onSlow);
    vi.advanceTimersByTime(2000);
    expect(end).not.toHaveBeenCalled();
    expect(onSlow).not.toHaveBeenCalled();
  });
});
