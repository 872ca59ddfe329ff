import { readdirSync, readFileSync } from "node:fs";
import { decide } from "umpire";
import { beforeAll, describe, expect, test } from "vitest";
import type { Answer, DecideRequest } from "../../src/library/decide/types.ts";
import { runCommand } from "../support/command.ts";
import type { CommandResult } from "../support/command.ts";
import { textOf } from "../support/guides.ts";
import { PACKAGE_ROOT } from "../support/package-root.ts";
import { examplesOf } from "../support/page-examples.ts";
import { RIGHT_ANSWERS } from "./demo-answers.ts";
import type { RightAnswer } from "./demo-answers.ts";

/** The least share of answers like it that must have been right, for an answer that the demo shows as a sure one. */
const SURE = 0.8;

const REQUESTS = new URL("examples/requests/", PACKAGE_ROOT);
const names = readdirSync(REQUESTS).map((file) => file.replace(/\.json$/u, ""));
const requestOf = (name: string): DecideRequest & { title: string } =>
  JSON.parse(readFileSync(new URL(`${name}.json`, REQUESTS), "utf8")) as DecideRequest & { title: string };

function likeliest(answer: Answer): RightAnswer {
  switch (answer.type) {
    case "choice":
      return answer.choice;
    case "noul":
      return answer.noul >= 0.5;
    case "score": {
      const probabilities = Object.values(answer.probabilities);
      return { level: probabilities.indexOf(Math.max(...probabilities)) };
    }
  }
}

describe.each(names)("the request %s of the demo", (name) => {
  test("is answered rightly and surely, wherever its text has the answer", async () => {
    const { questions, ...request } = requestOf(name);
    const right = RIGHT_ANSWERS[name] ?? {};
    expect(Object.keys(right)).toEqual(Object.keys(questions));
    const { answers } = await decide({ ...request, questions });
    for (const [id, rightAnswer] of Object.entries(right)) {
      const answer = answers[id] as Answer;
      if (rightAnswer === undefined) {
        expect(answer.x_accuracy, id).toBeLessThan(0.5);
      } else {
        expect(likeliest(answer), id).toEqual(rightAnswer);
        expect(answer.x_accuracy, id).toBeGreaterThanOrEqual(SURE);
      }
    }
  });
});

describe("the demo", () => {
  let printed: CommandResult;
  beforeAll(async () => {
    printed = await runCommand(process.execPath, ["examples/demo.mjs"]);
  });

  test("hands one answer to a person: the one that its text does not tell", () => {
    const untold = Object.values(RIGHT_ANSWERS).flatMap((answers) => Object.values(answers).filter((answer) => answer === undefined));
    expect(untold).toHaveLength(1);
    const { code, stdout } = printed;
    expect(code).toBe(0);
    expect(stdout.match(/ask a person/gu)).toHaveLength(1);
    expect(stdout).toContain(`${names.length} requests, `);
    expect(stdout).toMatch(/ · 1 for a person to check$/mu);
    expect(stdout.indexOf("ask a person")).toBeGreaterThan(stdout.indexOf(requestOf("unclear-ticket").title));
    // The first thing that is seen.
    expect(stdout.startsWith(`── ${requestOf("support-ticket").title} ─`)).toBe(true);
  });

  test("prints what the README shows of it, from the first line to the last", () => {
    const shown = examplesOf(textOf("README.md")).find(({ code }) => code === "npm ci && npm run demo\n")?.prints ?? "";
    const passages = comparable(shown).split("…\n");
    expect(passages).toHaveLength(3);
    const all = comparable(printed.stdout);
    expect(all.indexOf(passages[0] ?? "")).toBe(0);
    let end = 0;
    for (const passage of passages) {
      const place = all.indexOf(passage, end);
      expect(place, passage).toBeGreaterThanOrEqual(0);
      end = place + passage.length;
    }
    expect(end).toBe(all.length);
  });
});

/** Text without what another processor changes: times, the last digit of percentages, and how far bars are filled. */
function comparable(text: string): string {
  return text
    .replace(/\d+(?:,\d+)* ms/gu, "0 ms")
    .replace(/[█▉▊▋▌▍▎▏░]+ */gu, "█ ")
    .replace(/\d(?=%| of 100)/gu, "0");
}
