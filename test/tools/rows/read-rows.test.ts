import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { rowsAndWrongOnes } from "../../../src/tools/rows/read-rows.ts";
import type { TableOptions } from "../../../src/tools/rows/read-rows.ts";
import { tempDir } from "../../support/temp-dir.ts";

const folder = tempDir();

/** The rows of a file: the line, and the values or what is wrong. */
async function rowsOf(name: string, content: string | Uint8Array, options: TableOptions = {}): Promise<unknown[]> {
  await writeFile(join(folder, name), content);
  const rows: unknown[] = [];
  for await (const row of rowsAndWrongOnes(join(folder, name), options)) rows.push([row.line, "wrong" in row ? row.wrong : row.value]);
  return rows;
}

const refusalOf = (name: string, content: string | Uint8Array, options?: TableOptions): Promise<string> =>
  rowsOf(name, content, options).then(
    () => "",
    (error: unknown) => (error as Error).message.replace(join(folder, name), name),
  );

const joined = (...parts: readonly (string | Uint8Array)[]): Uint8Array => Buffer.concat(parts.map((part) => Buffer.from(part)));

describe("lines end as they do in editors", () => {
  test.each(["\n", "\r\n", "\r"])("%j after the names, and every end after the rows", async (end) => {
    const rows = [2, 3, 4].map((line, i) => [line, { id: `${i}`, text: "a b" }]);
    expect(await rowsOf("a.csv", `id,text${end}0,a b\r\n1,a b\n2,a b\r`)).toEqual(rows);
    expect(await rowsOf("a.csv", `id,text${end}0,"a b"\r\n1,"a b"\n2,"a b"`)).toEqual(rows);
    expect(await rowsOf("a.jsonl", `{"id":0}${end}{"id":1}\r\n\r{"id":2}\r`)).toEqual([
      [1, { id: 0 }],
      [2, { id: 1 }],
      [4, { id: 2 }],
    ]);
  });

  test("one that a careless program doubled is a line without a row", async () => {
    expect(await rowsOf("a.csv", "id,text\r\r\n1,a\r\r\n2,b\r\r\n")).toEqual([
      [3, { id: "1", text: "a" }],
      [5, { id: "2", text: "b" }],
    ]);
  });

  test("those in quotes are part of the field, and count", async () => {
    const content = 'text,id\n"a\r\nb\rc\n",1\r\n\r\n"\r\n",2\nlast\n';
    expect(await rowsOf("a.csv", content)).toEqual([
      [2, { text: "a\r\nb\rc\n", id: "1" }],
      [7, { text: "\r\n", id: "2" }],
      [9, "has 1 columns, but the first line names 2"],
    ]);
    expect(await refusalOf("a.csv", 'text,id\r\n"a\r\nb",1\r\n\r\n"c\r\n')).toContain("a.csv, line 5, column 1: a quote is not closed");
  });

  test("pieces of a file may end within one", async () => {
    const rows = Array.from({ length: 40_000 }, (_, id) => `${id},"${"x".repeat(id % 7)}"\r\n`).join("");
    const read = await rowsOf("long.csv.gz", gzipSync(`id,text\r\n${rows}`));
    expect(read.at(-1)).toEqual([40_001, { id: "39999", text: "x" }]);
    const lines = Array.from({ length: 40_000 }, (_, id) => `${JSON.stringify({ id })}\r\n`).join("");
    expect((await rowsOf("long.jsonl", lines)).at(-1)).toEqual([40_000, { id: 39_999 }]);
  });
});

describe("fields are separated by", () => {
  const ROW = [{ id: "1", text: "a, b" }];
  const valuesOf = async (...args: Parameters<typeof rowsOf>): Promise<unknown[]> =>
    (await rowsOf(...args)).map((row) => (row as readonly unknown[])[1]);

  test.each<[what: string, content: string, expected: unknown[]]>([
    ["commas", 'id,text\n1,"a, b"\n', ROW],
    ["semicolons", "id;text\n1;a, b\n", ROW],
    ["tabs", "id\ttext\n1\ta, b\n", ROW],
    ["bars", "id|text\n1|a, b\n", ROW],
    ["what is outside of quotes", 'id;"a, b"\n1;2\n', [{ id: "1", "a, b": "2" }]],
    [
      "what gives all rows as many",
      "id;price (EUR, net, old)\n1;2,50\n2;3\n",
      [
        { id: "1", "price (EUR, net, old)": "2,50" },
        { id: "2", "price (EUR, net, old)": "3" },
      ],
    ],
    ["what gives most, if more than one does", "a;b (x, y);c\n1;2,50;x\n", [{ a: "1", "b (x, y)": "2,50", c: "x" }]],
    ["what the first line with names shows", "\n\r\n;;\nid;text\n1;a, b\n", ROW],
    ["what Excel's line says", "sep=;\r\nid;text\r\n1;a, b\r\n", ROW],
    ["what Excel's line says in quotes", '\ufeff"sep=\t"\nid\ttext\n1\ta, b\n', ROW],
    ["nothing, in a table of one column", "text\na; b\n", [{ text: "a; b" }]],
  ])("%s", async (_, content, expected) => {
    expect(await valuesOf("a.csv", content)).toEqual(expected);
  });

  test("what a flag says, above all", async () => {
    expect(await valuesOf("a.csv", "sep=,\nid;a,b\n1;2\n", { delimiter: ";" })).toEqual([{ id: "1", "a,b": "2" }]);
    expect(await valuesOf("a.tsv", "id:text\n1:a, b\n", { delimiter: ":" })).toEqual(ROW);
  });
});

describe("the line of names", () => {
  test("may have fields without a name at its end, if rows have nothing there", async () => {
    expect(await rowsOf("a.csv", "id,text,,\n1,a,,\n2,b\n3,c,,x\n4,d,,,\n")).toEqual([
      [2, { id: "1", text: "a" }],
      [3, { id: "2", text: "b" }],
      [4, "has a value in column 4, which has no name in the first line"],
      [5, "has 5 columns, but the first line names 2"],
    ]);
  });

  test("may have one field without a name elsewhere, and no name twice", async () => {
    expect(await rowsOf("a.csv", ",text\n0,a\n")).toEqual([[2, { "": "0", text: "a" }]]);
    expect(await refusalOf("a.csv", ",,text\n0,a,b\n")).toBe("a.csv, line 1: has no name, in columns 1 and 2.");
    expect(await refusalOf("a.csv", "\na,text, a\n0,a,b\n")).toBe("a.csv, line 2: has the same column name twice, in columns 1 and 3.");
  });
});

describe("quotes", () => {
  const MERGED = 'id\ttext\n1\t"I was charged.\n2\tIt crashes.\n3\tWhat?"\n4\tHello.\n';

  test("in a table with tabs do not swallow rows without a word", async () => {
    const wrong = expect.stringMatching(/^has a quoted field with tabs and line breaks, .*--quotes off.*--quotes on$/u) as string;
    const rows = [
      [2, wrong],
      [5, { id: "4", text: "Hello." }],
    ];
    expect(await rowsOf("a.tsv", MERGED)).toEqual(rows);
    expect(await rowsOf("a.csv", MERGED)).toEqual(rows);
    expect(await refusalOf("a.tsv", 'id\t"text\n1\ta\n2\tb"\n3\tc\n')).toContain(
      "a.tsv, line 1: has a quoted field with tabs and line breaks",
    );
  });

  test("enclose such a field, if a flag says so, or are text", async () => {
    expect(await rowsOf("a.tsv", MERGED, { quotes: "on" })).toEqual([
      [2, { id: "1", text: "I was charged.\n2\tIt crashes.\n3\tWhat?" }],
      [5, { id: "4", text: "Hello." }],
    ]);
    expect(await rowsOf("a.tsv", 'id\ttext\n1\t"I was\n2\ta 5" pipe\n', { quotes: "off" })).toEqual([
      [2, { id: "1", text: '"I was' }],
      [3, { id: "2", text: 'a 5" pipe' }],
    ]);
  });

  test("that no rule allows are refused, with the flag that takes them for text", async () => {
    for (const [text, line] of [
      ['a 5" pipe', 3],
      ['"a" b', 3],
    ] as const)
      expect(await refusalOf("a.csv", `id,text\n0,"x\n${"\n".repeat(line - 3)}"\n1,${text}\n`)).toMatch(
        /^a\.csv, line 4, column 2: a quote .*; if this file's quotes are text, give --quotes off\.$/u,
      );
  });
});

describe("a text is UTF-8, or UTF-16 with its mark", () => {
  const TEXT = "text,id\nGrün Зелёный 緑 🎈,1\n";
  const ROWS = [[2, { text: "Grün Зелёный 緑 🎈", id: "1" }]];
  const littleEndian = (text: string): Buffer => Buffer.from(text, "utf16le");
  const bigEndian = (text: string): Buffer => littleEndian(text).swap16();

  test.each<[what: string, content: Uint8Array]>([
    ["UTF-8", joined(TEXT)],
    ["UTF-8 with a mark", joined("\ufeff", TEXT)],
    ["UTF-8 with two marks", joined("\ufeff\ufeff", TEXT)],
    ["UTF-16, little-endian", littleEndian(`\ufeff${TEXT}`)],
    ["UTF-16, big-endian", bigEndian(`\ufeff${TEXT}`)],
  ])("%s", async (_, content) => {
    expect(await rowsOf("a.csv", content)).toEqual(ROWS);
    expect(await rowsOf("a.csv.gz", gzipSync(content))).toEqual(ROWS);
  });

  test.each<[what: string, content: Uint8Array, words: string]>([
    [
      "Latin-1",
      Buffer.from("text\r\rfine\nGrün\n", "latin1"),
      "a.csv, line 4: is not UTF-8 text, but perhaps Windows-1252 or Latin-1. Convert the file to UTF-8 first.",
    ],
    ["UTF-8 that is cut", joined(TEXT).subarray(0, 10 + 1), "a.csv, line 2: ends within a character. Convert the file to UTF-8 first."],
    [
      "UTF-16 without a mark",
      littleEndian(TEXT),
      "a.csv is not UTF-8 text, but probably UTF-16 without its byte order mark. Convert it to UTF-8 first.",
    ],
    [
      "Russian in UTF-16 without a mark",
      bigEndian("Зелёный\n"),
      "a.csv is not UTF-8 text, but probably UTF-16 without its byte order mark. Convert it to UTF-8 first.",
    ],
    ["UTF-16 that is cut", littleEndian(`\ufeff${TEXT}`).subarray(0, -1), "a.csv begins as UTF-16 text, and is damaged."],
    ["UTF-32", Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), "a.csv is in UTF-32. Convert it to UTF-8 first."],
    [
      "a workbook",
      joined("PK\u0003\u0004", "anything"),
      "a.csv is a ZIP archive, as an Excel workbook is. Save it as CSV (UTF-8), or unpack it.",
    ],
    ["gzip", gzipSync(TEXT), "a.csv is compressed by gzip. Name it with .gz at the end."],
    ["Parquet", joined("PAR1 anything"), "a.csv is a Parquet file. Name it with .parquet."],
  ])("not %s", async (_, content, words) => {
    expect(await refusalOf("a.csv", content)).toBe(words);
  });

  test("compressed files may have several members, also beside each other's pieces", async () => {
    for (const size of [0, 1, 65_535, 65_536, 131_072 - 40]) {
      const rows = `1,${Buffer.from(Array.from({ length: size }, (_, i) => 97 + ((i * i * 7919) % 26))).toString()}\n`;
      const content = joined(gzipSync("id,text\n", { level: 0 }), gzipSync(rows, { level: 0 }), gzipSync("2,b\n"), Buffer.alloc(1024));
      expect((await rowsOf("a.csv.gz", content)).at(-1)).toEqual([3, { id: "2", text: "b" }]);
    }
  });
});

describe("JSON is lines of objects or an array of them, whatever the ending says", () => {
  const ARRAY = '\n[ {"id": 1, "s": "a]\\"},{"},\r\n  {"id":\n2},\n\n"x", [3], {"id" 4}\n]\n';
  test.each(["a.jsonl", "a.json", "A.JSONL", "a.NdJson"])("%s", async (name) => {
    expect(await rowsOf(name, '{"id":1}\n\n{"id":2}')).toEqual([
      [1, { id: 1 }],
      [3, { id: 2 }],
    ]);
    expect(await rowsOf(name, ARRAY)).toEqual([
      [2, { id: 1, s: 'a]"},{' }],
      [3, { id: 2 }],
      [6, "x"],
      [6, [3]],
      [6, "must be one JSON object, but is not valid JSON (8 characters)"],
    ]);
  });

  test("an array may be as long as a file", async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'é\\"]'.repeat(id % 5) }));
    const read = await rowsOf("long.json", JSON.stringify(rows, undefined, 1));
    expect(read.map((row) => (row as readonly unknown[])[1])).toEqual(rows);
    expect(read.at(-1)).toMatchObject([2 + 4 * 19_999, {}]);
  });

  test("an array that is not whole is refused after its rows, and so is what follows it", async () => {
    expect(await refusalOf("a.json", '[{"id":1},\n{"id":2')).toBe(
      "a.json, line 2: the array is not closed: the file is not whole, or a bracket is missing in this row.",
    );
    expect(await refusalOf("a.json", '[{"id":1}]\n{"id":2}')).toBe("a.json, line 2: something follows the end of the array.");
  });

  test.each([
    ['{"a": NaN}', "holds NaN or Infinity, which JSON does not know: write null"],
    ['{"a": [-Infinity]}', "holds NaN or Infinity, which JSON does not know: write null"],
    ["{'a': 1}", "has single quotes, where JSON has double ones"],
    ['{"a": None}', "holds None, True, False or undefined, which JSON does not know"],
    ['{"a": 1,}', "has a comma too many"],
    ['{"a": 1} {"b": 2}', "holds several objects: put each on a line of its own"],
    ['{"a": 1},', "has a comma at its end"],
    ["{", "goes on in the next lines: put each object on one line, or all of them into one array"],
    ["\u001a", "is not valid JSON"],
  ])("%s is named", async (text, words) => {
    expect(await rowsOf("a.jsonl", `${text}\n{"text": "NaN, {"}`)).toEqual([
      [1, `must be one JSON object, but ${words} (${text.length} characters)`],
      [2, { text: "NaN, {" }],
    ]);
  });

  test("a field that is there twice is named", async () => {
    expect(await rowsOf("a.jsonl", '{"id":1,"id":2}\n{"id":{"a":1,"b":1}}')).toEqual([
      [1, "has the field id twice"],
      [2, { id: { a: 1, b: 1 } }],
    ]);
  });
});
