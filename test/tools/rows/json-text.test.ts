import fc from "fast-check";
import { expect, test } from "vitest";
import { compact, membersOf, nameTwiceIn, withDigits } from "../../../src/tools/rows/json-text.ts";

test("members are in their own order, with their own digits", () => {
  const json = '{ "b": 1.10, "2" : "a\\"}{,:" ,"1":{"x": [9007199254740993,\r\n"]"]},"\\u00e9":1e400, "n":null,"z":-0}';
  expect(membersOf(json)).toEqual([
    ["b", "1.10"],
    ["2", '"a\\"}{,:"'],
    ["1", '{"x": [9007199254740993, "]"]}'],
    ["é", "1e400"],
    ["n", "null"],
    ["z", "-0"],
  ]);
});

test("members of any object are those of JSON.parse", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), fc.constantFrom(0, 1, "\r\n"), (value, space) => {
      const members = membersOf(JSON.stringify(value, undefined, space));
      expect(Object.fromEntries(members.map(([name, json]) => [name, JSON.parse(json) as unknown]))).toEqual(
        JSON.parse(JSON.stringify(value)),
      );
    }),
  );
});

test.each([
  ["9007199254740993", "9007199254740993"],
  ["12345678901234567890", "12345678901234567890"],
  ["1.10", "1.10"],
  ["1.0", "1.0"],
  ["0.1234567890123456789", "0.1234567890123456789"],
  ["123456789.123456789", "123456789.123456789"],
  ["1e400", "1e400"],
  ["1E5", "1E5"],
  ["0.0000001", "0.0000001"],
  ["-0", "-0"],
  ["-0.5", -0.5],
  ["100", 100],
  ["0.1", 0.1],
  ["9007199254740991", 9007199254740991],
])("%s is read as %j", (json, expected) => {
  expect(withDigits(json)).toBe(expected);
  expect(withDigits(`{"a":[${json}, "1.10 and 1e5"]}`)).toEqual({ a: [expected, "1.10 and 1e5"] });
});

test("what is not written as JavaScript writes it is a text of its digits, everything else as JSON.parse reads it", () => {
  const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/u);
  fc.assert(
    fc.property(digits, (json) => {
      const expected = String(Number(json)) === json ? Number(json) : json;
      expect(withDigits(`[${json}]`)).toEqual([expected]);
    }),
  );
});

test("compact JSON is what JSON.stringify writes, with the digits and the order of the file", () => {
  expect(compact('{ "2": "\\u00e9 \\/", "1" : [ 1.10 , {} ] }')).toBe('{"2":"é /","1":[1.10,{}]}');
});

test.each([
  ['{"a":1,"b":{"a":2}}', undefined],
  ['{"a":1,"b":2,"a":3}', "a"],
  ['{ "q": { "type": "noul", "type": "score" } }', "type"],
  ['{"a":"{\\"b\\":1,\\"b\\":2}"}', undefined],
  ["[1]", undefined],
])("in %s the name that an object has twice is %j", (json, name) => {
  expect(nameTwiceIn(json)).toBe(name);
});
