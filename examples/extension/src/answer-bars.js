// @ts-check
import { make } from "./elements.js";
import { QUESTION_KINDS } from "./question-kinds.js";
import { percent, surenessInWords } from "./words.js";

/** @import { Answer } from "./index.browser.js" */
/** @import { PageQuestion } from "./question-kinds.js" */
/** @import { Row } from "./question-kinds.js" */

/** Of a choice with many options, shows only the most likely ones, and sums up the rest in one line. */
const MAX_ROWS = 5;

/**
 * Shows one question with its answer in words and a bar for each possible answer.
 * @param {PageQuestion} question
 * @param {Answer} answer
 */
export function answerSection(question, answer) {
  const rows = QUESTION_KINDS[answer.type].rowsOf(question, answer);
  const chosen = rows.find((row) => row.chosen);
  const shown = answer.type === "choice" ? rows.slice(0, MAX_ROWS) : rows;
  const rest = rows.slice(shown.length);
  const verdict = make("p", { className: "verdict" }, [
    make("strong", { text: chosen?.label ?? "" }),
    make("span", {
      className: "quiet",
      text: ` ${[surenessInWords(answer), levelInWords(answer, rows.length)].filter(Boolean).join("; ")}`,
    }),
  ]);
  return make("section", { className: "question" }, [
    make("h2", { text: question.instructions }),
    verdict,
    make("ul", { className: "bars" }, shown.map(bar)),
    ...(rest.length > 0 ? [make("p", { className: "quiet", text: restInWords(rest) })] : []),
  ]);
}

/** @param {Row} row */
function bar({ label, probability, chosen }) {
  const filled = make("span", { className: "filled" });
  filled.style.width = `${100 * probability}%`;
  const track = make("span", { className: "track" }, [filled]);
  // The figure next to it says the same.
  track.setAttribute("aria-hidden", "true");
  const mark = make("span", { className: "mark", text: chosen ? "✓" : "" });
  mark.setAttribute("aria-hidden", "true");
  return make("li", { className: chosen ? "chosen" : "" }, [
    mark,
    make("span", { className: "label", text: label }),
    ...(chosen ? [make("span", { className: "for-ears", text: "(chosen)" })] : []),
    make("span", { className: "percent", text: percent(probability) }),
    track,
  ]);
}

/** @type {(answer: Answer, levels: number) => string} */
function levelInWords(answer, levels) {
  return answer.type === "score" ? `${answer.score.toFixed(1)} on a scale of 0 to ${levels - 1}` : "";
}

/** @param {readonly Row[]} rest */
function restInWords(rest) {
  const together = percent(rest.reduce((sum, { probability }) => sum + probability, 0));
  return rest.length === 1 ? `One more: ${together}` : `${rest.length} more, together ${together}`;
}
