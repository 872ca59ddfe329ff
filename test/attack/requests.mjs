// Requests that the attacks send.
import { ID_MARKER, TEXT_MARKER } from "./markers.mjs";

export const DECIDE = "/decision/v1/model";

/** An ordinary, short request. */
export const shortRequest = {
  model: "latest",
  state: "The parcel arrived two days late.",
  questions: { late: { type: "noul", instructions: "Was the parcel late?" } },
};

/** Each "cat" is a token. */
export const stateOf = (tokens) => `${TEXT_MARKER} ${"cat ".repeat(tokens)}`;

/** A question with `count` options, whose descriptions have about `tokens` tokens each. Equal ones would be read once. Keys start with `key`. */
export const optionsQuestion = (count, tokens, key = "option") => ({
  type: "choice",
  instructions: "Which of these is it about?",
  criteria: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${key}${i}`, `${"!".repeat(tokens - 1)} ${i}`])),
});

export const requestOf = (questions, state = TEXT_MARKER) => ({ model: "latest", state, questions });

/** An id of some length that logs must not hold. */
export const longId = (length) => ID_MARKER.padEnd(length, "x");
