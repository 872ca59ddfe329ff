// @ts-check

/** @import { PageQuestion } from "./questions.js" */

/** Used until the user writes their own questions. The model is small, so answers come with a description. @type {readonly PageQuestion[]} */
export const DEFAULT_QUESTIONS = [
  {
    about: "page",
    type: "choice",
    instructions: "What kind of page is this?",
    options: [
      { key: "article", description: "an article or a news story to read" },
      { key: "shop", description: "a shop with goods, prices and a cart" },
      { key: "login form", description: "a form to log in with a password" },
      { key: "forum", description: "a discussion between several people" },
      { key: "search results", description: "a list of search results" },
      { key: "other", description: "something else" },
    ],
  },
  {
    about: "page",
    type: "choice",
    instructions: "What is this page about?",
    options: [
      { key: "news", description: "news and current events" },
      { key: "technology", description: "computers, software and technology" },
      { key: "shopping", description: "products and prices" },
      { key: "health", description: "health and medicine" },
      { key: "sport", description: null },
      { key: "money", description: "money, banks and business" },
      { key: "food", description: "food and cooking" },
      { key: "travel", description: "travel and places" },
      { key: "account", description: "an account, signing in or settings" },
    ],
  },
  { about: "page", type: "noul", instructions: "Does the page sell something?" },
  { about: "selection", type: "noul", instructions: "Is this comment hostile?" },
  {
    about: "selection",
    type: "score",
    instructions: "How hostile is this comment?",
    levels: ["friendly", "matter-of-fact", "annoyed", "hostile"],
  },
];
