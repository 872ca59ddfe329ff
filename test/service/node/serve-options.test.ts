import { describe, expect, test } from "vitest";
import { createKeys } from "../../../src/service/auth/key-ring.ts";
import type { Decider } from "../../../src/library/decider/decider.ts";
import { DEFAULT_CONNECTION_LIMITS, FIXED_CONNECTION_LIMITS, readServeOptions } from "../../../src/service/node/serve-options.ts";
import type { ServeOptions } from "../../../src/service/node/serve-options.ts";
import { decideError } from "../../support/rejection.ts";

const decider = { decide: () => Promise.reject(new Error("not asked")) } as unknown as Decider;
const LIMITS = { ...DEFAULT_CONNECTION_LIMITS, ...FIXED_CONNECTION_LIMITS };
const read = (options: Omit<ServeOptions, "decider">): ReturnType<typeof readServeOptions> => readServeOptions({ decider, ...options });

test("without options the server listens on this machine only, with every limit set", () => {
  expect(read({})).toEqual({
    host: "127.0.0.1",
    port: 8780,
    isTls: false,
    shutdownDelayMs: 0,
    shutdownMs: 10_000,
    limits: LIMITS,
    ownHosts: ["127.0.0.1"],
    metricsSecret: undefined,
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
    limits: { ...LIMITS, count: 5 },
    ownHosts: ["::"],
    metricsSecret: undefined,
  });
  const withUndefined = { keepAliveMs: undefined } as unknown as ServeOptions["connections"];
  expect(read({ connections: withUndefined }).limits).toEqual(LIMITS);
});

test("the default number of connections is what the process can have open; a larger one is refused", async () => {
  expect(readServeOptions({ decider }, 40).limits.count).toBe(40);
  expect(readServeOptions({ decider, connections: { count: 40 } }, 40).limits.count).toBe(40);
  const { message } = await decideError(() => readServeOptions({ decider, connections: { count: 41 } }, 40));
  expect(message).toBe(
    "The options are not valid: connections.count must be at most 40, what this process's limit of open files leaves (raise it with ulimit -n), but is 41.",
  );
});

test("names are checked if there are no keys, or if names are given", () => {
  const keys = createKeys([]);
  expect(read({ keys }).ownHosts).toBeUndefined();
  expect(read({ keyFile: "keys.json" }).ownHosts).toBeUndefined();
  expect(read({ keys, hostNames: ["Umpire.internal"] }).ownHosts).toEqual(["127.0.0.1", "umpire.internal"]);
});

describe("an invalid option is refused with its rule and the kind of its value", () => {
  test.each<[string, object, string]>([
    ["an empty host", { host: "" }, "host must be an address or a host's name, but is an empty string"],
    ["an empty folder's name", { lessons: "" }, "lessons must be the path of a folder with lessons, but is an empty string"],
    [
      "lessons for a decider that cannot learn",
      { lessons: "lessons" },
      "decider must be a decider that learns, such as createDecider(), because there are lessons, but is an object with 1 key",
    ],
    ["a port beyond the last", { port: 65_536 }, "port must be a whole number from 0 to 65535, but is 65536"],
    ["a port as text", { port: "8780" }, "port must be a whole number from 0 to 65535, but is a string of 4 characters"],
    ["a negative delay", { shutdownDelayMs: -1 }, "shutdownDelayMs must be a whole number, 0 or more, but is -1"],
    ["an endless shutdown", { shutdownMs: Infinity }, "shutdownMs must be a whole number, 0 or more, but is Infinity"],
    ["a limit of 0", { connections: { count: 0 } }, "connections.count must be a whole number, 1 or more, but is 0"],
    ["a misspelt option", { prot: 1 }, "prot is unknown (did you mean port?)"],
    ["a misspelt limit", { connections: { keepAliveMS2: 1 } }, "connections.keepAliveMS2 is unknown (did you mean keepAliveMs?)"],
    ["a misspelt file", { tls: { certPem: "a", keyPem: "b", certPm: "a" } }, "tls.certPm is unknown (did you mean certPem?)"],
    ["a limit that is no option", { connections: { headersMs: 500 } }, "connections.headersMs is unknown; the nearest name is keepAliveMs"],
    ["a text as credits", { credits: "x" }, "credits must be an object with ledger and prices, but is a string of 1 character"],
    ["a text as logger", { logger: "x" }, "logger must be a logger, such as createLogger() or console, but is a string of 1 character"],
    ["a text as tls", { tls: "x" }, "tls must be an object with certPem and keyPem, but is a string of 1 character"],
    ["a number as private key", { tls: { certPem: "a", keyPem: 5 } }, "tls.keyPem must be the text of a PEM file, but is 5"],
    ["a number as key file", { keyFile: 5 }, "keyFile must be the path of a key file, but is 5"],
    ["a text as metrics", { metrics: "no" }, "metrics must be true or false, but is a string of 2 characters"],
    ["a number as metricsByKey", { metricsByKey: 1 }, "metricsByKey must be true or false, but is 1"],
    [
      "names of keys for everybody",
      { metricsByKey: true },
      "metricsByKey needs a metricsSecret: without one, everybody can read the names of the keys",
    ],
    [
      "a secret that no header can carry",
      { metricsSecret: "a b" },
      "metricsSecret must be one or more printable ASCII characters without spaces, but is a string of 3 characters",
    ],
    [
      "a name as names",
      { hostNames: "umpire" },
      "hostNames must be an array of hosts' names like umpire.internal, but is a string of 6 characters",
    ],
    [
      "a name with a port",
      { hostNames: ["umpire:80"] },
      "hostNames.0 must be a host's name like umpire.internal, without a port, but is a string of 9 characters",
    ],
    [
      "a base path with a slash at its end",
      { basePath: "/ai/" },
      'basePath must be empty or like "/ai", without a slash at its end, but is a string of 4 characters',
    ],
    [
      "a limit of the handler as text",
      { limits: { runMs: "5" } },
      "limits.runMs must be a number, 1 or more, but is a string of 1 character",
    ],
    ["a number as connections", { connections: 5 }, "connections must be an object of limits, but is a number"],
    ["no function as onServed", { onServed: true }, "onServed must be a function, but is a boolean"],
    [
      "keys that are not in a ring",
      { keys: ["secret"] },
      "keys must be what createKeys() or watchKeyFile() returns, such as createKeys([await keyFromSecret(...)]), but is an array of 1",
    ],
    [
      "both keys and a key file",
      { keys: createKeys([]), keyFile: "keys.json" },
      "keyFile must be left out when keys are given, but is a string of 9 characters",
    ],
  ])("%s", async (_, options, message) => {
    const error = await decideError(() => read(options));
    expect(error).toMatchObject({ code: "invalid_request", message: `The options are not valid: ${message}.` });
    expect(error.issues).toHaveLength(1);
  });

  test("tls without its files: each is named", async () => {
    const { message } = await decideError(() => read({ tls: {} as never }));
    expect(message).toBe(
      "The options are not valid: tls.certPem is missing: it must be the text of a PEM file; tls.keyPem is missing: it must be the text of a PEM file.",
    );
  });

  test("several at once, each with its place", async () => {
    const { issues } = await decideError(() => read({ port: 1.5, shutdownMs: -1, connections: { keepAliveMs: 0, count: NaN } }));
    expect(issues?.map(({ loc }) => loc)).toEqual([
      ["options", "port"],
      ["options", "shutdownMs"],
      ["options", "connections", "keepAliveMs"],
      ["options", "connections", "count"],
    ]);
  });
});
