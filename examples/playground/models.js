// @ts-check
// The choice of a model: which models this site has, how large they are, and how fast each has answered here.
import { byId, make } from "./dom.js";
import { megabytes } from "./loading.js";

/** The page's own. It is named by nothing: whoever copies the request asks for the best model that is installed there. */
const QUICK = "umpire-2";
const BASE = "umpire-3-base";
/** Of the smallest runtime, which any model needs. */
const RUNTIME_BYTES = 14_200_000;

const select = /** @type {HTMLSelectElement} */ (byId("model"));
const facts = byId("model-facts");

/** @type {Map<string, number>} bytes to fetch, by id, of the models that this site has */
const sizes = new Map();
/** @type {Map<string, string>} how long the last answer took, by id */
const speeds = new Map();

/** The id of the model that answers. */
export const modelNow = () => select.value || QUICK;

/** What a request must name for it: an id, or `latest`. */
export const modelToName = () => select.value || "latest";

/** Bytes of the model's files and its runtime's, at least; 0 if nobody knows. */
export function bytesToLoad() {
  const size = sizes.get(modelNow());
  return size === undefined ? 0 : size + RUNTIME_BYTES;
}

/** Whether the page knows such a model, on this site or another. @param {string} id */
export const isKnown = (id) => id === QUICK || id === BASE;

/** @param {() => void} onChange called when somebody chose another model */
export function wireModels(onChange) {
  select.addEventListener("change", () => {
    show();
    onChange();
  });
  void readSizes();
}

/** @param {Pick<import("./session.js").Outcome, "response" | "callMs">} outcome */
export function noteSpeed({ response, callMs }) {
  const { model, usage } = response;
  speeds.set(model, `${shownMs(callMs)} for ${usage.input_tokens.toLocaleString("en")} tokens`);
  show();
}

/** @param {number} ms */
export const shownMs = (ms) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString("en")} ms`;

async function readSizes() {
  try {
    const response = await fetch("./models.json");
    if (response.ok) for (const { id, sizeBytes } of await response.json()) sizes.set(id, sizeBytes);
  } catch {
    // A site that says nothing of its models has the page's own.
  }
  show();
}

function show() {
  const option = /** @type {HTMLOptionElement} */ (select.options.namedItem("base-model"));
  option.disabled = !sizes.has(BASE);
  const lines = [QUICK, BASE].filter((id) => sizes.has(id)).map(lineOf);
  if (!sizes.has(BASE))
    lines.push(`This site has no ${BASE}, which is right more often. Install umpire-base, then start or write the playground anew.`);
  facts.replaceChildren(...lines.map((text) => make("li", { text })));
  const bytes = bytesToLoad();
  if (bytes > 0) byId("first-bytes").textContent = `${Math.round(bytes / 1e6)} MB`;
}

/** @param {string} id */
function lineOf(id) {
  const speed = speeds.get(id);
  return `${id}: ${megabytes(sizes.get(id) ?? 0)} MB to fetch once. ${speed === undefined ? "Not asked yet." : `Its last answer took ${speed}.`}`;
}
