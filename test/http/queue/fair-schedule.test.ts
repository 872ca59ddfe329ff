import { describe, expect, it } from "vitest";
import { FairSchedule } from "../../../src/http/queue/fair-schedule.ts";
import type { ScheduledTurn } from "../../../src/http/queue/fair-schedule.ts";

function add(schedule: FairSchedule<ScheduledTurn>, key: string, sizeBytes = 100): ScheduledTurn {
  const start = schedule.startOf(key);
  const turn = { key, sizeBytes, start, finish: start + sizeBytes };
  schedule.add(turn);
  return turn;
}

/** Keys in the order in which all their turns begin. */
function drain(schedule: FairSchedule<ScheduledTurn>): string[] {
  const keys: string[] = [];
  for (let turn = schedule.next(); turn !== undefined; turn = schedule.next()) {
    schedule.begin(turn);
    keys.push(turn.key);
  }
  return keys;
}

describe("the fair schedule", () => {
  it("alternates between keys that send as much as each other, in the order of arrival", () => {
    const schedule = new FairSchedule();
    for (const key of ["a", "a", "a", "b", "b"]) add(schedule, key);
    expect(drain(schedule)).toEqual(["a", "b", "a", "b", "a"]);
  });

  it("gives a key with large requests fewer turns", () => {
    const schedule = new FairSchedule();
    for (let i = 0; i < 3; i++) add(schedule, "large", 300);
    for (let i = 0; i < 7; i++) add(schedule, "small", 100);
    expect(drain(schedule).join(" ")).toBe("large small small small large small small small large small");
  });

  it("charges a key for the turns it had, but not for those that were removed", () => {
    const schedule = new FairSchedule();
    const [first, second] = [add(schedule, "a"), add(schedule, "a")];
    schedule.begin(first);
    schedule.remove(second);
    expect(schedule.startOf("a")).toBe(100);
    expect(schedule.startOf("b")).toBe(0);
  });

  it("lets a new key start at the current virtual time, not in the past", () => {
    const schedule = new FairSchedule();
    for (let i = 0; i < 3; i++) add(schedule, "a");
    drain(schedule);
    expect(schedule.startOf("new")).toBe(200);
    schedule.reset();
    expect([schedule.startOf("new"), schedule.startOf("a")]).toEqual([0, 0]);
  });

  it("counts the turns that wait and their bytes, each once", () => {
    const schedule = new FairSchedule();
    const [first, second] = [add(schedule, "a", 100), add(schedule, "b", 50)];
    expect([schedule.size, schedule.waitingBytes]).toEqual([2, 150]);
    schedule.remove(second);
    schedule.remove(second);
    expect([schedule.size, schedule.waitingBytes]).toEqual([1, 100]);
    schedule.begin(first);
    expect([schedule.size, schedule.waitingBytes]).toEqual([0, 0]);
    expect(schedule.next()).toBeUndefined();
  });

  it("knows the last turn and those before a start", () => {
    const schedule = new FairSchedule();
    const turns = [add(schedule, "a"), add(schedule, "a"), add(schedule, "b")];
    expect(schedule.last()).toBe(turns[1]);
    expect(schedule.turnsBefore(0)).toEqual([turns[0], turns[2]]);
    expect(schedule.turnsBefore(Infinity)).toHaveLength(3);
  });
});
