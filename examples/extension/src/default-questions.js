// @ts-check

/** @import { PageQuestion } from "./question-kinds.js" */

/**
 * Used until the user writes their own questions. The model is small, so each answer says which words such a page has.
 * @type {readonly PageQuestion[]}
 */
export const DEFAULT_QUESTIONS = [
  {
    about: "page",
    type: "choice",
    instructions: "What kind of page is this?",
    options: [
      { key: "article", description: "a story told by a journalist" },
      { key: "recipe", description: "a dish: ingredients, method, servings" },
      { key: "documentation", description: "software manual: code examples and options" },
      { key: "shop", description: "something to buy: price, add to cart" },
      { key: "forum", description: "a thread: a question and replies from users" },
      { key: "login form", description: "a form to sign in: password, forgot password" },
      { key: "search results", description: "links to other pages that match a search" },
      { key: "video", description: "a video to watch: views, likes, subscribe" },
      { key: "job ad", description: "a job offer: tasks, salary, apply now" },
      { key: "event", description: "a meeting or concert on a date at a place" },
    ],
  },
  { about: "page", type: "noul", instructions: "Is this about food?" },
  { about: "selection", type: "noul", instructions: "Is this comment hostile?" },
  {
    about: "selection",
    type: "score",
    instructions: "How hostile is this comment?",
    levels: ["friendly", "neutral", "hostile"],
  },
];
