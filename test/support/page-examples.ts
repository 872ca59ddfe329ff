/** A fenced block of a Markdown page. The words after its language tell the test what to do with it: ```` ```python run needs=jq ````. */
export interface Example {
  readonly language: string;
  /** For example `run` or `mount`; empty for a block that is only shown. */
  readonly marks: readonly string[];
  readonly needs: string | undefined;
  /** File name under which other blocks can import it. */
  readonly file: string | undefined;
  readonly code: string;
  /** Line number at which its code begins. */
  readonly line: number;
  /** The nearest heading above it. */
  readonly heading: string;
  /** Its expected output: the next `text` or `json` block. */
  readonly prints: string | undefined;
}

const FENCE = /^```(\S*) ?(.*)\n([\s\S]*?)^```$/gmu;

export function examplesOf(page: string): Example[] {
  const blocks = [...page.matchAll(FENCE)].map(({ 1: language = "", 2: info = "", 3: code = "", index }) => {
    const before = page.slice(0, index);
    const words = info.split(" ").filter((word) => word !== "");
    const valueOf = (name: string): string | undefined => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
    return {
      language,
      marks: words.filter((word) => !word.includes("=")),
      needs: valueOf("needs"),
      file: valueOf("file"),
      code,
      line: before.split("\n").length + 1,
      heading:
        before
          .match(/^#+ .*$/gmu)
          ?.at(-1)
          ?.replace(/^#+ /u, "") ?? "",
    };
  });
  const isOutput = (language: string | undefined): boolean => language === "text" || language === "json";
  return blocks.flatMap((block, i) => {
    const next = blocks[i + 1];
    return isOutput(block.language) ? [] : [{ ...block, prints: isOutput(next?.language) ? next?.code : undefined }];
  });
}

const DECIMAL = /(-?\d+\.\d+(?:e-?\d+)?)/u;

/** Removes spaces that have no meaning in JSON, so that a page may show it on several lines. */
const compact = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text.trim();
  }
};

/** Whether a program printed what its page shows. Decimal numbers may differ by `tolerance`: pages show them rounded. */
export function printsAsShown(printed: string, shown: string, tolerance = 0.05): boolean {
  const [actual, expected] = [printed, shown].map((text) => compact(text).split(DECIMAL));
  if (actual === undefined || actual.length !== expected?.length) return false;
  // Every second part is a number.
  return actual.every((part, i) => (i % 2 === 0 ? part === expected[i] : Math.abs(Number(part) - Number(expected[i])) <= tolerance));
}
