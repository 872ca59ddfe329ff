import { expect, test } from "vitest";
import { DecideError } from "../../../../../src/errors.ts";
import { GroupCommit } from "../../../../../src/service/node/ledger/sqlite/group-commit.ts";
import type { SqliteDatabase } from "../../../../../src/service/node/ledger/sqlite/sqlite-file.ts";

const FULL = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL", rawCode: 13 });

/** A database that records its commands. A command fails as often as `failures` says. */
class FakeDatabase implements SqliteDatabase {
  readonly commands: string[] = [];
  readonly failures = new Map<string, number>();
  inTransaction = false;

  async exec(sql: string): Promise<void> {
    this.commands.push(sql);
    // As a disk does, it takes longer than anything on the caller's thread.
    await new Promise((resolve) => setTimeout(resolve, 2));
    const failures = this.failures.get(sql) ?? 0;
    if (failures > 0) {
      this.failures.set(sql, failures - 1);
      throw FULL;
    }
    this.inTransaction = sql === "BEGIN IMMEDIATE";
  }

  prepare(): never {
    throw new Error("not used");
  }

  close(): void {
    this.inTransaction = false;
  }
}

/** A write that adds its name to the commands, so that they show in which transaction it ran. */
function writer(database: FakeDatabase, check = (): void => undefined): { write: (name: string) => Promise<string>; commits: GroupCommit } {
  const commits = new GroupCommit(database, check);
  return {
    commits,
    write: (name) =>
      commits.write(() => {
        database.commands.push(name);
        return name;
      }),
  };
}

test("a write runs inside a transaction, and resolves after its commit", async () => {
  const database = new FakeDatabase();
  expect(await writer(database).write("a")).toBe("a");
  expect(database.commands).toEqual(["BEGIN IMMEDIATE", "a", "COMMIT"]);
});

test("writes that arrive during a commit share the next transaction, in order", async () => {
  const database = new FakeDatabase();
  const { write } = writer(database);
  const first = write("a");
  await expect.poll(() => database.commands.at(-1), { interval: 1 }).toBe("COMMIT");
  expect(await Promise.all([first, write("b"), write("c")])).toEqual(["a", "b", "c"]);
  expect(database.commands).toEqual(["BEGIN IMMEDIATE", "a", "COMMIT", "BEGIN IMMEDIATE", "b", "c", "COMMIT"]);
});

test("a refused write leaves the others of its transaction alone", async () => {
  const database = new FakeDatabase();
  const { write, commits } = writer(database);
  const refusal = new DecideError("invalid_request", "no");
  const refused = commits.write(() => {
    throw refusal;
  });
  const [outcome, other] = await Promise.allSettled([refused, write("b")]);
  expect([outcome, other]).toMatchObject([{ reason: refusal }, { value: "b" }]);
  expect(database.commands).toEqual(["BEGIN IMMEDIATE", "b", "COMMIT"]);
});

test.each(["BEGIN IMMEDIATE", "COMMIT"])("if %s fails, its writes are refused, and later ones work", async (command) => {
  const database = new FakeDatabase();
  database.failures.set(command, 1);
  const { write } = writer(database);
  const outcomes = await Promise.allSettled([write("a"), write("b")]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "backend_unavailable", retryable: true } });
  expect(await write("c")).toBe("c");
});

test("a failing write rolls back its transaction, and refuses the others in it", async () => {
  const database = new FakeDatabase();
  const { write, commits } = writer(database);
  const before = write("a");
  const failed = commits.write(() => {
    throw FULL;
  });
  const outcomes = await Promise.allSettled([before, failed]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "backend_unavailable" } });
  expect(database.commands).toEqual(["BEGIN IMMEDIATE", "a", "ROLLBACK"]);
});

test("if even the rollback fails, later writes still get an outcome", async () => {
  const database = new FakeDatabase();
  database.failures.set("COMMIT", 1).set("ROLLBACK", 1);
  const { write } = writer(database);
  await expect(write("a")).rejects.toMatchObject({ code: "backend_unavailable" });
  expect(await write("b")).toBe("b");
});

test("idle waits for all writes", async () => {
  const database = new FakeDatabase();
  const { write, commits } = writer(database);
  const done: string[] = [];
  for (const name of ["a", "b"]) void write(name).then((name) => done.push(name));
  await commits.idle();
  expect(done).toEqual(["a", "b"]);
  await commits.idle();
});

test("a write counts only if the files are well before and after its commit; otherwise it is refused, and a later one may count", async () => {
  const database = new FakeDatabase();
  const gone = new DecideError("backend_unavailable", "The file is gone.");
  let isGone = true;
  const { write } = writer(database, () => {
    if (isGone) throw gone;
  });
  await expect(write("a")).rejects.toBe(gone);
  expect(database.commands).toEqual([]);
  isGone = false;
  const lost = write("b");
  await expect.poll(() => database.commands.at(-1), { interval: 1 }).toBe("COMMIT");
  isGone = true;
  await expect(lost).rejects.toBe(gone);
  isGone = false;
  expect(await write("c")).toBe("c");
});
