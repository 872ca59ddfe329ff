import { expect, it } from "vitest";
import { load } from "./modules.ts";

const { lineChart } = await load("chart");

it("a chart has escaped labels, a line for each series, and only valid numbers", () => {
  const svg = lineChart({
    title: `"a" < b & c`,
    x: { label: "across", max: 1 },
    y: { label: "up", max: 0.3 },
    series: [
      {
        name: "first",
        points: [
          { x: 0, y: 0 },
          { x: 1, y: 0.3, radius: 3 },
        ],
      },
      { name: "second", points: [{ x: 0.5, y: 0.1 }] },
    ],
    diagonal: "even",
  });
  for (const part of ["&quot;a&quot; &lt; b &amp; c", "across", "up", "first", "second", "even", "30%", "prefers-color-scheme:dark"])
    expect(svg).toContain(part);
  expect(svg.match(/class="line line-/g)).toHaveLength(4);
  // The first series runs from corner to corner of the plot.
  expect(svg).toContain('d="M64 332L608 48"');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});
