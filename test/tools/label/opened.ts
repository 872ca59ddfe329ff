import { join } from "node:path";
import type { Decider, Question } from "../../../src/public.ts";
import type { PoolRow } from "../../../src/tools/label/files.ts";
import { LabelSession } from "../../../src/tools/label/session.ts";
import { RowNotes } from "../../../src/tools/rows/row-notes.ts";
import { LABEL_QUESTION } from "../../support/label-rows.ts";

interface Wanted {
  readonly folder: string;
  readonly decider: Decider;
  readonly texts: readonly string[];
  readonly question?: Question;
  readonly readsAllFirst?: boolean;
}

/** A session whose files are in a folder. */
export function opened({ folder, decider, texts, question = LABEL_QUESTION, readsAllFirst = false }: Wanted): Promise<LabelSession> {
  const rows = texts.map((text, i): PoolRow => ({ line: i + 1, place: `line ${i + 1}`, text }));
  const [out, lesson, notes] = [join(folder, "labels.csv"), join(folder, "lesson.json"), new RowNotes("rows.csv")];
  return LabelSession.open({ decider, question, rows, out, lesson, maxErrorRate: 0.05, seed: 7, notes, readsAllFirst });
}

/** Waits until something is asked, or nothing more is. @returns the row, and its text */
export async function asked(session: LabelSession): Promise<{ readonly row: number; readonly text: string } | undefined> {
  while (session.view.state === "reading")
    await new Promise<void>((resolve) => {
      const ignore = session.onChange(() => {
        ignore();
        resolve();
      });
    });
  return session.view.current;
}
