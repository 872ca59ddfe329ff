import { describe, expect, it } from "vitest";
import { requestIdOf } from "../../../src/service/handler/request-id.ts";

const requestWith = (id?: string): Request => new Request("http://host/", id === undefined ? {} : { headers: { "x-request-id": id } });

describe("requestIdOf", () => {
  it.each(["7", "ticket 7/a", "~!", "x".repeat(128)])("keeps the caller's id %s", (id) => {
    expect(requestIdOf(requestWith(id))).toBe(id);
  });

  it.each([undefined, "", "x".repeat(129), "\u00fcmlaut", "tab\tinside"])("makes a new one instead of %s", (id) => {
    const [first, second] = [requestIdOf(requestWith(id)), requestIdOf(requestWith(id))];
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
    expect(second).not.toBe(first);
  });
});
