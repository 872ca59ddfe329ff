// @ts-check
// How far it is, and what the answers are worth.
import { byId, find, make } from "./dom.js";

/** @param {import("./server.js").State} state */
export function showProgress({ counts, worth, byAnswer, question, rounds, out, lesson }) {
  const { answered, rows, read, noneOfThese, skipped, leftOut } = counts;
  document.title = `${answered} answered - umpire label`;
  setText(
    "counts",
    `${answered} of ${rows} rows answered${read < rows ? `; ${read} read` : ""}${leftOut > 0 ? `; ${leftOut} left out` : ""}`,
  );
  // It is announced when it changes.
  setText("worth", worth);
  setText("files", `Answers: ${out}. Lesson: ${lesson}.`);
  const given = question.options.filter(({ key }) => byAnswer[key]).map(({ key, name }) => /** @type {const} */ ([name, byAnswer[key]]));
  const tally = [
    ...given,
    .../** @type {const} */ ([
      ["none of these", noneOfThese],
      ["skipped", skipped],
    ]),
  ];
  byId("tally").replaceChildren(...tally.flatMap(([name, count]) => [make("dt", { text: name }), make("dd", { text: String(count) })]));
  showChart(rounds);
}

/**
 * @param {string} id
 * @param {string} text
 */
function setText(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
}

/** @param {import("./server.js").State["rounds"]} rounds */
function showChart(rounds) {
  const last = rounds.at(-1)?.answered ?? 0;
  byId("chart").hidden = rounds.length === 0;
  const points = [{ answered: 0, share: 0 }, ...rounds].map(
    ({ answered, share }) => `${(300 * answered) / Math.max(1, last)},${100 - 100 * share}`,
  );
  find(byId("chart"), ".line").setAttribute("points", points.join(" "));
  const words = rounds.map(({ answered, share }) => `${Math.floor(100 * share + 1e-9)} in 100 after ${answered} answers`);
  byId("plot").setAttribute("aria-label", `Share that can be acted on: ${words.join(", ")}`);
  byId("chart-end").textContent = String(last);
}
