import { join } from "node:path";
import { Command } from "commander";
import { AS_USUAL, replaceFile } from "../../files/replace.ts";
import type { Prices } from "../../service/billing/credits.ts";
import { priceOf } from "../../service/billing/prices.ts";
import { DEFAULT_MAX_DISAGREEMENT, DEFAULT_STORE } from "../../service/node/serve-options.ts";
import type { Agreement, StoredQuestion, UpstreamStore } from "../../service/node/upstream/upstream-store.ts";
import { errorRateFrom } from "./input/flags.ts";
import type { Io } from "./io.ts";
import { makeFolderOf } from "./output/check-writable.ts";
import { clip, columns, oneLine, percent } from "./output/terminal-text.ts";
import { addOutputFlags, writeResult, type OutputFlags, type Screen } from "./output/screen.ts";
import { priceFrom } from "./serve-command.ts";

interface Flags extends OutputFlags {
  readonly maxDisagreement?: number;
  readonly price?: Prices;
  readonly export?: string;
}

const HELP = `
A row is one question, of one hosted model: its calls; the share of answers that
agree; the share of calls that could be answered here, and how many of these
differ at most, at 90% confidence; its state; and what was saved, estimated by
the tokens that the hosted API counted for other calls.

--export writes questions.json, and for each question rows/<id>.jsonl (what the
model noticed of each text, and both answers; no text) and lessons/<id>.json; the
folder lessons is one that "umpire serve --lessons" takes.

Examples:
  $ umpire agreement
  $ umpire agreement --max-disagreement 0.02 --price 0.1/0.4
  $ umpire agreement --export observed
`;

export function agreementCommand(io: Io): Command {
  const command = new Command("agreement")
    .description("show which questions of a hosted API could be answered here")
    .argument("[store]", "the file of umpire serve --upstream-store", DEFAULT_STORE)
    .option("--max-disagreement <share>", "share of answers that may differ (default: that of the server)", errorRateFrom)
    .option(
      "--price <price>",
      "credits for a million tokens of the hosted API, <in>/<out> or <model>=<in>/<out>; may be repeated",
      priceFrom,
    )
    .option("--export <folder>", "write rows and lessons there");
  return addOutputFlags(command)
    .addHelpText("after", HELP)
    .action(async (path: string, flags: Flags) => {
      const { agreementsOf, UpstreamStore } = await import("../../service/node/upstream/upstream-store.ts");
      const store = await UpstreamStore.open(path, { toWrite: false });
      try {
        const stored = await store.questions();
        const maxDisagreement = flags.maxDisagreement ?? (await store.settings())?.maxDisagreement ?? DEFAULT_MAX_DISAGREEMENT;
        const rows = agreementsOf(stored, maxDisagreement);
        if (flags.export !== undefined) await exportTo(flags.export, store, rows, stored);
        const questions = rows.map((row) => ({ ...row, ...(flags.price && { savedCredits: savedCredits(row, flags.price) ?? null }) }));
        writeResult(io, flags, { maxDisagreement, questions }, (screen) => tableOf(rows, maxDisagreement, flags.price, screen));
      } finally {
        await store.close();
      }
    });
}

/** Files that are there are replaced. */
async function exportTo(
  folder: string,
  store: UpstreamStore,
  rows: readonly Agreement[],
  stored: readonly StoredQuestion[],
): Promise<void> {
  const lessons = new Map(stored.map(({ id, lesson }) => [id, lesson]));
  const write = async (path: readonly string[], text: string): Promise<void> => {
    const file = join(folder, ...path);
    await makeFolderOf(file);
    await replaceFile(file, text, AS_USUAL);
  };
  await write(["questions.json"], `${JSON.stringify(Object.fromEntries(rows.map(({ id, question }) => [id, question])), null, 2)}\n`);
  for (const { id } of rows) {
    const lines = (await store.observations(id)).map((observation) => `${JSON.stringify(observation)}\n`);
    await write(["rows", `${id}.jsonl`], lines.join(""));
    const lesson = lessons.get(id);
    if (lesson !== undefined) await write(["lessons", `${id}.json`], `${JSON.stringify(lesson)}\n`);
  }
}

/** Undefined for a model without a price. */
function savedCredits({ model, savedInputTokens, savedOutputTokens }: Agreement, prices: Prices): number | undefined {
  const price = priceOf(prices, model);
  return price && (savedInputTokens * price.inputPerMillion + savedOutputTokens * price.outputPerMillion) / 1e6;
}

/** Cells of a question's own text, and of each other column together. */
const OTHER_CELLS = 62;
const LEAST_CELLS = 16;

function tableOf(rows: readonly Agreement[], maxDisagreement: number, prices: Prices | undefined, { width, paint }: Screen): string {
  if (rows.length === 0) return "No question was asked yet.\n";
  const name = Math.max(LEAST_CELLS, width - OTHER_CELLS);
  const heads = ["question", "calls", "agree", "here", "differ", "state", prices ? "credits saved" : "tokens saved"];
  const lines = rows.map((row) => {
    const { calls, agreement, share, bound, savedInputTokens, savedOutputTokens } = row;
    const saved = prices ? (savedCredits(row, prices)?.toFixed(4) ?? "?") : String(savedInputTokens + savedOutputTokens);
    return [
      clip(nameOf(row), name),
      String(calls),
      agreement === null ? "" : percent(agreement.value).trim(),
      percent(share).trim(),
      bound === null ? "" : `≤${percent(bound).trim()}`,
      row.status === "observing" && row.back > 0 ? "switched back" : row.status,
      saved,
    ];
  });
  const table = columns([heads, ...lines]).replace(/^.*/u, (head) => paint("dim", head));
  return `${table}\n\nhere: could be answered here, with at most ${percent(maxDisagreement).trim()} that differ; differ: the bound of that, at 90% confidence.\n`;
}

/** Its instructions; where it has none, its criteria. */
function nameOf({ question: { instructions, criteria } }: Agreement): string {
  const said = typeof instructions === "string" ? instructions : "";
  return oneLine(said === "" ? JSON.stringify(criteria ?? "") : said);
}
