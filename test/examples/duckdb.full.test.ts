import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { readdir, writeFile } from "node:fs/promises";
import { QUESTIONS, RunFolder, texts } from "../tools/run/run-folder.ts";
import { runCommand } from "../support/command.ts";
import type { CommandResult } from "../support/command.ts";
import { PACKAGE_ROOT } from "../support/package-root.ts";

const SCRIPT = fileURLToPath(new URL("examples/duckdb/answer-table.mjs", PACKAGE_ROOT));
const QUESTION = Object.keys(QUESTIONS)[0];
// It has no library for some systems.
const duckDb = await import("@duckdb/node-api").catch(() => undefined);
if (duckDb === undefined) console.warn("NOT TESTED: examples/duckdb, because @duckdb/node-api cannot be loaded.");

const folder = new RunFolder();

async function query(sql: string): Promise<unknown[][]> {
  if (duckDb === undefined) throw new Error("there is no DuckDB");
  const instance = await duckDb.DuckDBInstance.create(folder.at("it's.duckdb"));
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const answer = (...flags: readonly string[]): Promise<CommandResult> =>
  runCommand(process.execPath, [SCRIPT, folder.at("it's.duckdb"), "the tickets", "id", "body", folder.at("questions.json"), ...flags]);
const inserted = (from: number, states: readonly (string | null)[]): string =>
  `INSERT INTO "the tickets" VALUES ${states.map((text, i) => `(${from + i}, ${text === null ? "NULL" : `'${text}'`}, 'x')`).join()}`;

test.skipIf(duckDb === undefined)(
  "the answers are a table beside the rows, and only new rows are answered",
  async () => {
    await query('CREATE TABLE "the tickets" (id BIGINT, body VARCHAR, other VARCHAR)');
    await query(inserted(0, texts(5)));
    const first = await answer();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(first.stdout)).toMatchObject({ rows: 5 });
    const columns = (await query(`FROM duckdb_columns() SELECT column_name, data_type WHERE table_name = 'the tickets_answers'`)).map(
      String,
    );
    expect(columns.slice(0, 3)).toEqual(["id,BIGINT", `${QUESTION},BOOLEAN`, `${QUESTION}_probability,DOUBLE`]);

    expect(await answer()).toEqual({ code: 0, stdout: "", stderr: "All rows of the tickets are answered.\n" });

    await query(inserted(5, [null, "It is late."]));
    const second = await answer();
    expect(second.code).toBe(3);
    expect(JSON.parse(second.stdout)).toMatchObject({ rows: 2, failed: 1 });
    const rows = await query(`SELECT id, ${QUESTION} IS NOT NULL, error IS NULL FROM "the tickets_answers" ORDER BY id`);
    expect(rows.map(([id, ...is]) => [Number(id), ...is])).toEqual([0, 1, 2, 3, 4, 5, 6].map((id) => [id, id !== 5, id !== 5]));
    expect((await readdir(folder.path)).sort()).toEqual(["it's.duckdb", "questions.json"]);
  },
  60_000,
);

test.skipIf(duckDb === undefined)(
  "what was not finished goes on",
  async () => {
    await query(inserted(7, texts(4)));
    // As if the program had ended after the run, and before its answers were loaded as a whole.
    expect((await answer("--on-error", "ignore")).code).toBe(2);
    const rows = folder.at("it's.duckdb.the tickets.rows.parquet");
    await runCommand(process.execPath, [
      fileURLToPath(new URL("dist/cli.js", PACKAGE_ROOT)),
      ...["run", folder.at("questions.json"), rows, "--text-column", "body", "--out", folder.at("it's.duckdb.the tickets.answers.parquet")],
    ]);
    await query(
      `INSERT INTO "the tickets_answers" BY NAME FROM '${folder.at("it's.duckdb.the tickets.answers.parquet").replaceAll("'", "''")}' LIMIT 2`,
    );
    expect((await answer()).code).toBe(0);
    expect(await query('SELECT count(*)::INT, count(DISTINCT id)::INT FROM "the tickets_answers"')).toEqual([[11, 11]]);
  },
  60_000,
);

test.skipIf(duckDb === undefined)(
  "bad input ends with 2, and leaves the database as it was",
  async () => {
    await query(inserted(11, ["It is late."]));
    await writeFile(folder.at("questions.json"), "{}");
    const { code, stderr } = await answer();
    expect(code).toBe(2);
    expect(stderr).toContain("questions.json");
    expect(await query('SELECT count(*)::INT FROM "the tickets_answers"')).toEqual([[11]]);
  },
  60_000,
);
