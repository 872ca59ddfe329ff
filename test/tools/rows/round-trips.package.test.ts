import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { csvLine, rowsAndWrongOnes } from "../../../src/tools/rows/read-rows.ts";
import type { TableOptions } from "../../../src/tools/rows/read-rows.ts";
import { ToolError } from "../../../src/tools/tool-error.ts";
import { LONG_CASES } from "../../support/properties.ts";

/** Tables of random cells, as several programs write them: every cell comes out as it went in, or its row is named. `npm run fuzz` is the long form. */

const numRuns = LONG_CASES ?? 50;

type Table = readonly [names: readonly string[], ...rows: readonly (readonly string[])[]];

const anyPiece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '"',
      '""',
      ",",
      ";",
      "\t",
      "|",
      "\n",
      "\r",
      "\r\n",
      " ",
      "\ufeff",
      "=",
      "'",
      "\\",
      "é",
      "緑",
      "🎈",
      "\u2028",
      "e\u0301",
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }).map((text) => text.replaceAll(/[\0-\b]/gu, "x")) },
);
const anyCell = fc.oneof(
  { weight: 300, arbitrary: fc.array(anyPiece, { maxLength: 6 }).map((pieces) => pieces.join("")) },
  { weight: 1, arbitrary: fc.integer({ min: 65_000, max: 66_000 }).map((length) => "é".repeat(length)) },
);
const anyName = fc
  .array(anyPiece, { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join("").trim())
  // Standard input that begins with a bracket is JSON.
  .filter((name) => /[^,;|"\s]/u.test(name) && !/^(?:sep=|[[{])/iu.test(name));
const anyTable: fc.Arbitrary<Table> = fc.uniqueArray(anyName, { minLength: 1, maxLength: 5 }).chain((names) => {
  const row = fc.array(anyCell, { minLength: names.length, maxLength: names.length });
  // In a table of one column, an empty cell is an empty line.
  const kept = names.length === 1 ? row.filter(([cell = ""]) => cell !== "") : row;
  return fc.array(kept, { minLength: 1, maxLength: 6 }).map((rows): Table => [names, ...rows]);
});

interface Writer {
  readonly delimiter: string;
  /** Whether it puts every name in quotes that holds what might separate. */
  readonly quotesNames?: boolean;
  readonly write: (table: Table) => string | Promise<string>;
}

const ours: Writer = {
  delimiter: ",",
  quotesNames: true,
  write: ([names, ...rows]) => csvLine(names, "\n", /[",;|\t\r\n]/u) + rows.map((row) => csvLine(row, "\n")).join(""),
};
const WRITERS: Writer[] = [
  ours,
  ...[
    { delimiter: ",", record_delimiter: "\n" },
    { delimiter: ";", record_delimiter: "\r\n", quoted: true },
    { delimiter: "\t", record_delimiter: "\r", bom: true },
    { delimiter: "|", record_delimiter: "\r\n", eof: false },
  ].map((dialect) => ({
    delimiter: dialect.delimiter,
    // It takes only its own line end for one.
    write: (table: Table) =>
      stringify(
        [...table].map((row) => [...row]),
        { ...dialect, quoted_match: /[\r\n]/u },
      ),
  })),
];

const PYTHON = `
import csv, io, json, sys
for line in sys.stdin:
    dialect, rows = json.loads(line)
    out = io.StringIO(newline="")
    options = {"delimiter": ";"} if dialect == "semicolon" else {}
    csv.writer(out, "excel" if options else dialect, **options).writerows(rows)
    print(json.dumps(out.getvalue()), flush=True)
`;
if (spawnSync("python3", ["--version"]).status === 0) {
  const python = spawn("python3", ["-c", PYTHON], { stdio: ["pipe", "pipe", "inherit"] });
  afterAll(() => python.stdin.end());
  const lines = createInterface(python.stdout)[Symbol.asyncIterator]();
  for (const [dialect, delimiter] of [
    ["excel", ","],
    ["unix", ","],
    ["excel-tab", "\t"],
    ["semicolon", ";"],
  ] as const)
    WRITERS.push({
      delimiter,
      write: async (table) => {
        python.stdin.write(`${JSON.stringify([dialect, table])}\n`);
        return JSON.parse((await lines.next()).value as string) as string;
      },
    });
}

/** Pieces that end anywhere, also within characters and line ends. */
async function* piecesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  const bytes = Buffer.from(content);
  const size = Math.max(1, (bytes.length * 7919) % 211, Math.floor(bytes.length / 50));
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Read {
  /** The cells of each row; undefined for one that was named as wrong. */
  readonly rows: (readonly string[] | undefined)[];
  readonly refusal: string;
}

async function readBack(content: string | Uint8Array, options: TableOptions = {}): Promise<Read> {
  const rows: Read["rows"] = [];
  try {
    for await (const row of rowsAndWrongOnes("-", { ...options, stdin: piecesOf(content) }))
      rows.push("wrong" in row ? undefined : row.cells?.map(([, text]) => text));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { rows, refusal: error.message };
  }
  return { rows, refusal: "" };
}

const isDoubtful = (cells: readonly string[]): boolean => cells.some((cell) => cell.includes("\t") && /[\r\n]/u.test(cell));
const separates = (name: string): boolean => /[,;|\t]/u.test(name);

test("tables of random cells come out as they were written", async () => {
  const all = fc.asyncProperty(anyTable, fc.constantFrom("on" as const, undefined), async (table, quotes) => {
    const [names, ...rows] = table;
    for (const { delimiter, quotesNames = false, write } of WRITERS) {
      // Names that hold what might separate, or none that do, leave it open.
      const given = quotesNames || (names.length > 1 && !names.some(separates)) ? {} : { delimiter };
      const content = await write(table);
      const { rows: read, refusal } = await readBack(content, { quotes, ...given });
      const isNamed = (cells: readonly string[]): boolean => delimiter === "\t" && quotes === undefined && isDoubtful(cells);
      if (isNamed(names)) expect(refusal).toContain("--quotes on");
      else expect([delimiter, refusal, read]).toEqual([delimiter, "", rows.map((cells) => (isNamed(cells) ? undefined : cells))]);
    }
  });
  await fc.assert(all, { numRuns });
});

test("a table that is cut anywhere is refused, or has the rows before the cut, and the start of one cell", async () => {
  const all = fc.asyncProperty(anyTable, fc.nat(), fc.nat(), async (table, which, where) => {
    const { delimiter, write } = WRITERS[which % WRITERS.length] ?? ours;
    const bytes = Buffer.from(await write(table));
    const { rows, refusal } = await readBack(bytes.subarray(0, where % bytes.length), { delimiter, quotes: "on" });
    const whole = table.slice(1);
    rows.forEach((cells, i) => {
      const original = whole[i] ?? [];
      if (i < rows.length - 1 || refusal !== "") expect(cells).toEqual(original);
      else if (cells !== undefined)
        expect([cells.slice(0, -1), original.at(-1)?.startsWith(cells.at(-1) ?? "")]).toEqual([original.slice(0, -1), true]);
    });
    if (rows.length === 0) expect(refusal).not.toBe("");
  });
  await fc.assert(all, { numRuns });
});

test("rows of JSON come out as they were written, as lines and as an array, and are refused or named where they are cut", async () => {
  const anyRows = fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 })), { minLength: 1, maxLength: 5 });
  const valuesOf = async (content: string | Uint8Array): Promise<{ values: unknown[]; refusal: string }> => {
    const values: unknown[] = [];
    try {
      for await (const row of rowsAndWrongOnes("-", { stdin: piecesOf(content) })) values.push("wrong" in row ? undefined : row.value);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { values, refusal: error.message };
    }
    return { values, refusal: "" };
  };
  const all = fc.asyncProperty(
    anyRows,
    fc.constantFrom("\n", "\r\n", "\r"),
    fc.constantFrom(undefined, 1),
    fc.nat(),
    async (rows, end, space, where) => {
      const expected: unknown[] = JSON.parse(JSON.stringify(rows)) as unknown[];
      for (const text of [rows.map((row) => JSON.stringify(row) + end).join(""), JSON.stringify(rows, undefined, space)]) {
        expect(await valuesOf(text)).toEqual({ values: expected, refusal: "" });
        const bytes = Buffer.from(text);
        const cut = await valuesOf(bytes.subarray(0, where % bytes.length));
        const read = cut.values.at(-1) === undefined ? cut.values.slice(0, -1) : cut.values;
        expect(read).toEqual(expected.slice(0, read.length));
        if (cut.values.length === 0) expect(cut.refusal).not.toBe("");
      }
    },
  );
  await fc.assert(all, { numRuns });
});
