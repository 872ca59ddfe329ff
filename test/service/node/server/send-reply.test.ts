import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Reply } from "../../../../src/service/handler/reply.ts";
import { sendReply } from "../../../../src/service/node/server/send-reply.ts";

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
