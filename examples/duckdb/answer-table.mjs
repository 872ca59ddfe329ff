// node answer-table.mjs tickets.duckdb tickets id body questions.json [flags of umpire run]
// Answers questions about a text column of a DuckDB table. The answers are a table beside it, here tickets_answers, with the key of each row. Rows that are
// answered already are left out. Whatever stops it, the same command goes on where it was. Exit codes are those of umpire run.
import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";

const [database, table, key, text, questions, ...flags] = process.argv.slice(2);
if (questions === undefined) {
  console.error("Usage: node answer-table.mjs <database> <table> <key column> <text column> <questions.json> [flags of umpire run]");
  process.exit(2);
}
/** Of columns and tables. */
const named = (name) => `"${name.replaceAll('"', '""')}"`;
const quoted = (value) => `'${value.replaceAll("'", "''")}'`;
const rows = `${database}.${table}.rows.parquet`;
const answers = `${database}.${table}.answers.parquet`;
const answerTable = `${table}_answers`;

if (!existsSync(rows) && (await writeRows()) === 0) {
  console.error(`All rows of ${table} are answered.`);
  process.exit(0);
}
// Nobody else can open the database while this program has it open; so it is closed while the model runs.
const cli = fileURLToPath(new URL("dist/cli.js", import.meta.resolve("umpire/package.json")));
const args = [cli, "run", questions, rows, "--text-column", text, "--copy", key, "--out", answers, ...flags];
const code = existsSync(answers) ? 0 : (spawnSync(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] }).status ?? 1);
process.exitCode = code;
// 3: done, and the column error says which rows have no answer.
if (code === 0 || code === 3) {
  if ((await loadAnswers()) > 0) process.exitCode = 3;
  rmSync(rows);
  rmSync(answers);
}

/** @returns how many rows are to be answered */
async function writeRows() {
  return inDatabase(async (connection) => {
    const { length: isThere } = await valuesOf(connection, `FROM duckdb_tables() WHERE table_name = ${quoted(answerTable)}`);
    const isLeft = isThere ? `WHERE ${named(key)} NOT IN (SELECT ${named(key)} FROM ${named(answerTable)})` : "";
    const left = `SELECT ${named(key)}, ${named(text)} FROM ${named(table)} ${isLeft} ORDER BY ${named(key)}`;
    // One row group is in memory at a time. The name says that the file is whole. COPY tells the number of rows.
    const [count] = await valuesOf(connection, `COPY (${left}) TO ${quoted(`${rows}.tmp`)} (FORMAT parquet, ROW_GROUP_SIZE 10000)`);
    if (count > 0n) renameSync(`${rows}.tmp`, rows);
    else rmSync(`${rows}.tmp`);
    return Number(count);
  });
}

/** Loads each answer once, also if an earlier try has ended in the middle. @returns how many rows have no answer */
async function loadAnswers() {
  return inDatabase(async (connection) => {
    await connection.run(`CREATE TABLE IF NOT EXISTS ${named(answerTable)} AS FROM ${quoted(answers)} LIMIT 0`);
    await connection.run(
      `INSERT INTO ${named(answerTable)} BY NAME FROM ${quoted(answers)} WHERE ${named(key)} NOT IN (SELECT ${named(key)} FROM ${named(answerTable)})`,
    );
    const [failed] = await valuesOf(connection, `SELECT count(error) FROM ${quoted(answers)}`);
    return Number(failed);
  });
}

async function inDatabase(work) {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function valuesOf(connection, sql) {
  return (await connection.runAndReadAll(sql)).getRows().map(([first]) => first);
}
