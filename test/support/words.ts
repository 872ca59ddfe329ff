/** The most words that a page may have. A page that says more says it in a page of its own, or repeats another. */
export const MOST_WORDS = {
  "README.md": 900,
  "docs/accuracy.md": 1200,
  "docs/agents.md": 600,
  "docs/ai-sdk.md": 1200,
  "docs/bulk.md": 1500,
  "docs/command-line.md": 1200,
  "docs/errors.md": 1200,
  "docs/examples-of-your-own.md": 1200,
  "docs/explain.md": 1200,
  "docs/from-hosted.md": 1200,
  "docs/http.md": 1800,
  "docs/models.md": 1500,
  "docs/node.md": 1200,
  "docs/page.md": 1200,
  "docs/playground.md": 1200,
  "docs/questions.md": 1200,
  "docs/reading.md": 1200,
  "docs/speed.md": 1000,
  "docs/teach.md": 1200,
  "docs/wordings.md": 1200,
} as const;

/** As `wc -w` counts them. */
export function wordsOf(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== "").length;
}
