// The speed benchmarks' texts and labels, cut to exact numbers of tokens with a pack's tokenizer.
import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";

export const COMPLAINT = `I ordered the blue kettle on the third of May and paid with my card. Two days later the parcel arrived, but the lid was cracked and
the cable was missing. I wrote to your support the same evening and sent three photos. Since then I have had two automatic replies and no answer
from a person. On Monday I called and waited for forty minutes before the line went dead. I would like a new kettle, or my money back, before the
end of this week, because my old one no longer works and my mother, who lives with us, cannot lift the heavy pot. Please tell me today which of
the two you will do, and whether I have to send the broken one back at my own cost. I have kept the box.`;

export const MINUTES = `The residents' meeting opened at seven with eleven households present. The treasurer read the accounts: heating cost a fifth more than last
year, the reserve stands at forty thousand, and two flats are three months behind with their share. Mr Adeyemi asked why the stairwell had been
painted twice; the manager answered that the first firm had used the wrong paint and repaired it at its own cost. The lift was stuck four times
since March. The maintenance firm offers a new control unit with a two-year guarantee, and a cheaper repair without one. Most speakers preferred
the control unit, but Mrs Lindqvist wanted a second offer before any vote, and that was agreed. Bicycles may stay in the yard until the autumn.
The family on the third floor apologised for the noise of their renovation, which ends next week. A vote on the courtyard lamp was put off. `;

export const TEN_TOPICS = [
  "billing",
  "technical problem",
  "damaged item",
  "delivery",
  "returns",
  "account access",
  "complaint",
  "praise",
  "spam",
  "other",
];

export const BANK_INTENTS =
  `activate a card, age limit, apple pay, atm not found, automatic top-up, balance after a cheque, balance after a transfer, beneficiary
refused, cancel a transfer, card about to expire, card acceptance, card arrival, card delivery estimate, card linking, card not working, card fee,
card payment rate, card payment not known, card payment undone, card swallowed, cash withdrawal fee, cash withdrawal not known, change of pin,
compromised card, contactless not working, country support, declined card payment, declined cash, declined transfer, direct debit not known,
disposable card limits, edit personal details, exchange charge, exchange rate, exchange in the app, extra charge on statement, failed transfer,
fiat currencies, get a disposable card, get a physical card, get a spare card, get a virtual card, lost or stolen card, lost or stolen phone,
order a card, forgotten passcode, pending card payment, pending cash withdrawal, pending top-up, pending transfer, pin blocked, receive money,
refund not shown, request a refund, balance not updated, supported cards, close the account, charge for a top-up by card, charge for a transfer,
failed top-up, top-up limits, top-up by cash, top-up by bank, reverted top-up, transfer to an account, transfer not received, transfer time,
charged twice, unable to verify, verify identity, verify source of funds, verify a top-up, virtual card not working, visa or mastercard,
why verify identity, wrong amount of cash, wrong exchange rate`
    .split(",")
    .map((label) => label.trim().replaceAll(/\s+/g, " "));

const BUILT_IN = new URL("../models/umpire-2/tokenizer.json", import.meta.url);

/** A text's last words are digits, which tell its variants apart. Each is one token. */
const DIGITS = 4;
const digitsOf = (number) => [...String(number % 10 ** DIGITS).padStart(DIGITS, "0")].join(" ");

/**
 * The text with another number at its end, and as many tokens. A text that was read before may be answered from a cache, so each call that is timed needs
 * another one.
 * @param {string} text as `cut` gives it
 * @param {number} number from 0 to 9999
 */
export function variantOf(text, number) {
  return text.slice(0, -digitsOf(0).length) + digitsOf(number);
}

/**
 * Counts a text's tokens, and cuts texts to exact numbers of them, so that they end in a number.
 * @param {string | URL} [file] the tokenizer's, by default the built-in model's
 */
export async function openTokens(file = BUILT_IN) {
  const tokenizer = new Tokenizer(JSON.parse(await readFile(file, "utf8")), {});
  const count = (text) => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  const cut = (text, tokens) => {
    // A word is at least one token.
    const words = text
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, tokens - DIGITS);
    while (count(words.join(" ")) > tokens - DIGITS) words.pop();
    // Removing the last word may have gone too far: fill up with one-token words.
    while (count(words.join(" ")) < tokens - DIGITS) words.push("so");
    return [...words, digitsOf(0)].join(" ");
  };
  return { count, cut };
}

/**
 * @param {string | URL} [file] the tokenizer's, by default the built-in model's
 * @returns {Promise<{ name: string, text: string, labels: string[] }[]>}
 */
export async function workloads(file = BUILT_IN) {
  const { cut } = await openTokens(file);
  return [
    { name: "10 options, 144 tokens", text: cut(COMPLAINT, 144), labels: TEN_TOPICS },
    { name: "77 options, 64 tokens", text: cut(COMPLAINT, 64), labels: BANK_INTENTS },
    { name: "10 options, 2,048 tokens", text: cut(MINUTES.repeat(20), 2048), labels: TEN_TOPICS },
  ];
}
