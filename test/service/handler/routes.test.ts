import { describe, expect, it } from "vitest";
import { routeOf } from "../../../src/service/handler/routes.ts";

describe("routeOf", () => {
  it.each([
    ["/decision/v1/model", "decide", "POST", false],
    ["/v1/systemone", "decide", "POST", true],
    ["/decision/v1/models", "models", "GET", false],
    ["/v1/models", "models", "GET", true],
    ["/openapi.json", "openapi", "GET", false],
  ])("%s is %s by %s", (path, name, method, vendor) => {
    expect(routeOf(`http://host:1${path}?query=1`, "")).toEqual({ name, method, vendor });
    expect(routeOf(`http://host:1/ai${path}`, "/ai")).toEqual({ name, method, vendor });
  });

  it.each([
    ["/", ""],
    ["/v1/models/", ""],
    ["/V1/models", ""],
    ["/v1/models", "/ai"],
    ["/ai/v1/models", ""],
    ["/aiv1/models", "/ai"],
    ["/xx/v1/models", "/ai"],
    ["/ai", "/ai"],
  ])("%s under %j is unknown", (path, basePath) => {
    expect(routeOf(`http://host${path}`, basePath)).toBeUndefined();
  });
});
