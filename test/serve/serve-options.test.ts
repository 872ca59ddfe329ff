import { describe, expect, test } from "vitest";
import type { Decider } from "../../src/decider/decider.ts";
import { DEFAULT_CONNECTION_LIMITS, readServeOptions } from "../../src/serve/serve-options.ts";
import type { ServeOptions } from "../../src/serve/serve-options.ts";
import { decideError } from "../support/rejection.ts";

const decider = {} as Decider;
const read = (options: Omit<ServeOptions, "decider">): ReturnType<typeof readServeOptions> => readServeOptions({ decider, ...options });

test("without options the server listens on this machine only, with every limit set", () => {
  expect(read({})).toEqual({
    host: "127.0.0.1",
    port: 8780,
    isTls: false,
    shutdownDelayMs: 0,
    shutdownMs: 10_000,
    limits: DEFAULT_CONNECTION_LIMITS,
  });
});

test("given options replace the defaults, and undefined ones do not", () => {
  const tls = { certPem: "cert", keyPem: "key" };
  expect(read({ host: "::", port: 0, tls, shutdownMs: 0, shutdownDelayMs: undefined, connections: { count: 5 } })).toEqual({
    host: "::",
    port: 0,
    isTls: true,
    shutdownDelayMs: 0,
    shutdownMs: 0,
    limits: { ...DEFAULT_CONNECTION_LIMITS, count: 5 },
  });
  const withUndefined = { headersMs: undefined } as unknown as ServeOptions["connections"];
  expect(read({ connections: withUndefined }).limits).toEqual(DEFAULT_CONNECTION_LIMITS);
});

describe("an invalid option is refused with its rule and the kind of its value", () => {
  test.each<[string, object, string]>([
    ["an empty host", { host: "" }, "host must be an address or a host's name, but is an empty string"],
    ["a port beyond the last", { port: 65_536 }, "port must be a whole number from 0 to 65535, but is 65536"],
    ["a port as text", { port: "8780" }, "port must be a whole number from 0 to 65535, but is a string of 4 characters"],
    ["a negative delay", { shutdownDelayMs: -1 }, "shutdownDelayMs must be a whole number, 0 or more, but is -1"],
    ["an endless shutdown", { shutdownMs: Infinity }, "shutdownMs must be a whole number, 0 or more, but is Infinity"],
    ["a limit of 0", { connections: { count: 0 } }, "connections.count must be a whole number, 1 or more, but is 0"],
    [
      "a request shorter than its headers",
      { connections: { headersMs: 500, requestMs: 400 } },
      "connections.requestMs must be at least headersMs, 500, but is 400",
    ],
    [
      "both keys and a key file",
      { keys: {}, keyFile: "keys.json" },
      "keyFile must be left out when keys are given, but is a string of 9 characters",
    ],
  ])("%s", async (_, options, message) => {
    const error = await decideError(() => read(options));
    expect(error).toMatchObject({ code: "invalid_request", message: `The options are not valid: ${message}.` });
    expect(error.issues).toHaveLength(1);
  });

  test("several at once, each with its place", async () => {
    const { issues } = await decideError(() => read({ port: 1.5, shutdownMs: -1, connections: { headersMs: 0, replyMs: NaN } }));
    expect(issues?.map(({ loc }) => loc)).toEqual([
      ["options", "port"],
      ["options", "shutdownMs"],
      ["options", "connections", "headersMs"],
      ["options", "connections", "replyMs"],
    ]);
  });
});
