import { describe, expect, it } from "vitest";
import { corsHeaders, preflight } from "../../../src/service/handler/cors.ts";

const ORIGIN = "https://a.example";
const requestFrom = (origin?: string, method = "GET", headers: Record<string, string> = {}): Request =>
  new Request("http://host/", { method, headers: { ...(origin !== undefined && { origin }), ...headers } });

describe("CORS headers", () => {
  it("are absent if CORS is off", () => {
    expect(corsHeaders(requestFrom(ORIGIN), undefined)).toEqual({});
  });

  it("allow a listed origin to read the reply and its headers, and vary by origin", () => {
    expect(corsHeaders(requestFrom(ORIGIN), ["https://b.example", ORIGIN])).toEqual({
      vary: "origin",
      "access-control-allow-origin": ORIGIN,
      "access-control-expose-headers": "x-request-id, request-id, x-typesafe-request-id, retry-after",
    });
  });

  it.each([undefined, "https://c.example", "https://a.example.evil", "null"])("allow nothing to %s", (origin) => {
    expect(corsHeaders(requestFrom(origin), [ORIGIN])).toEqual({ vary: "origin" });
  });

  it("with * do not depend on the origin", () => {
    expect(corsHeaders(requestFrom("https://c.example"), "*")).toEqual(corsHeaders(requestFrom(), "*"));
    expect(corsHeaders(requestFrom(), "*")).toMatchObject({ "access-control-allow-origin": "*" });
    expect(corsHeaders(requestFrom(), "*")).not.toHaveProperty("vary");
  });
});

describe("a preflight request", () => {
  const ASKING = { "access-control-request-method": "POST" };

  it("from an allowed origin is answered with methods, the headers it asks for and a lifetime", () => {
    const request = requestFrom(ORIGIN, "OPTIONS", { ...ASKING, "access-control-request-headers": "authorization, x-request-id" });
    const reply = preflight(request, [ORIGIN], { ...corsHeaders(request, [ORIGIN]) });
    expect(reply?.status).toBe(204);
    expect(reply?.headers).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "authorization, x-request-id",
      "access-control-max-age": "86400",
    });
  });

  it("from another origin is answered without permission", () => {
    const request = requestFrom("https://c.example", "OPTIONS", ASKING);
    const reply = preflight(request, [ORIGIN], { ...corsHeaders(request, [ORIGIN]) });
    expect(reply?.status).toBe(204);
    expect(reply?.headers).toEqual({ vary: "origin" });
  });

  it.each([
    ["CORS is off", requestFrom(ORIGIN, "OPTIONS", ASKING), undefined],
    ["it is not OPTIONS", requestFrom(ORIGIN, "POST", ASKING), [ORIGIN]],
    ["it asks for no method", requestFrom(ORIGIN, "OPTIONS"), [ORIGIN]],
  ])("is an ordinary request if %s", (_, request, origins) => {
    expect(preflight(request, origins, {})).toBeUndefined();
  });
});
