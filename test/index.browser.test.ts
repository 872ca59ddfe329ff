import * as node from "umpire";
import { expect, it } from "vitest";
import { PACKAGE_ROOT } from "./support/package-root.ts";
import { rejection } from "./support/rejection.ts";

it("the browser's entry has the same names as Node's, and says what it cannot do yet", async () => {
  const browser = (await import(new URL("dist/index.browser.js", PACKAGE_ROOT).href)) as typeof node;
  expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
  const request = { state: "s", questions: { q: { type: "noul", instructions: "?" } } } as const;
  for (const call of [() => browser.decide(request), () => browser.createDecider()]) {
    const error = await rejection(call);
    expect(error).toMatchObject({ code: "backend_unavailable", status: 503 });
    // Another copy of the class: known by its mark.
    expect(error).not.toBeInstanceOf(node.DecideError);
    expect(node.DecideError.isInstance(error)).toBe(true);
  }
});
