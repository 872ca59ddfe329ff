import { expect, it } from "vitest";
import { createKeys } from "../../../src/service/auth/key-ring.ts";
import { createHandler } from "../../../src/service/handler/handler.ts";
import { fakeDecider } from "../../support/fake-decider.ts";
import { fakeEngine } from "../../support/fake-engine.ts";
import { decideError } from "../../support/rejection.ts";

const KEYS = "keys must be what createKeys() or watchKeyFile() returns, such as createKeys([await keyFromSecret(...)]), but is";
const ORIGIN = "must be an origin like https://app.example, without a path, but is";
const PRICES = { "*": { inputPerMillion: 1, outputPerMillion: 1 } };

it.each<[string, object, string]>([
  ["a misspelt option", { onServd: () => undefined }, "onServd is unknown (did you mean onServed?)"],
  ["a misspelt limit", { limits: { runMS2: 1 } }, "limits.runMS2 is unknown (did you mean runMs?)"],
  ["no decider", { decider: undefined }, "decider is missing: it must be a decider, such as createDecider()"],
  ["an object as decider", { decider: {} }, "decider must be a decider, such as createDecider(), but is an object with 0 keys"],
  ["a secret as keys", { keys: "secret" }, `${KEYS} a string of 6 characters`],
  ["an array of secrets as keys", { keys: ["secret"] }, `${KEYS} an array of 1`],
  ["true as keys", { keys: true }, `${KEYS} a boolean`],
  ["an object as keys", { keys: {} }, `${KEYS} an object with 0 keys`],
  ["keys that were not awaited", { keys: Promise.resolve(createKeys([])) }, `${KEYS} an object of class Promise`],
  ["null as keys", { keys: null }, `${KEYS} null`],
  [
    "a text as credits",
    { keys: createKeys([]), credits: "x" },
    "credits must be an object with ledger and prices, but is a string of 1 character",
  ],
  [
    "a ledger that was not awaited",
    { keys: createKeys([]), credits: { ledger: Promise.resolve(), prices: PRICES } },
    "credits.ledger must be a ledger, such as await openLedger(...), but is an object of class Promise",
  ],
  [
    "a text as origins, whose parts would count as origins",
    { corsOrigins: "https://a.example" },
    'corsOrigins must be an array of origins like https://app.example, or "*", but is a string of 17 characters',
  ],
  ["an origin without its scheme", { corsOrigins: ["example.com"] }, `corsOrigins.0 ${ORIGIN} a string of 11 characters`],
  [
    "an origin with a path",
    { corsOrigins: ["https://b.example", "https://a.example/"] },
    `corsOrigins.1 ${ORIGIN} a string of 18 characters`,
  ],
  ["a number as origin", { corsOrigins: [5] }, `corsOrigins.0 ${ORIGIN} 5`],
  [
    "a star among origins",
    { corsOrigins: ["*"] },
    'corsOrigins.0 must not be in an array: corsOrigins is "*" alone, or an array of origins',
  ],
  ["no function as onServed", { onServed: "x" }, "onServed must be a function, but is a string of 1 character"],
])("createHandler() refuses %s, and says what to write instead", async (_, options, message) => {
  const error = await decideError(() => createHandler({ decider: fakeDecider(fakeEngine()), ...options }));
  expect(error).toMatchObject({ code: "invalid_request", message: `The options are not valid: ${message}.` });
});
