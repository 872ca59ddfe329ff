import type { Decider, Example, Lesson } from "../../src/public.ts";
import { ASKED } from "./texts.ts";

export const TEAM = {
  type: "choice",
  instructions: ASKED.team,
  criteria: { north: null, south: null },
} as const;

/** Names that say nothing by themselves: only examples tell them apart. */
const EXAMPLES: readonly Example<typeof TEAM>[] = [
  { state: "My card was charged twice.", answer: "north" },
  { state: "The invoice has a wrong address.", answer: "north" },
  { state: "When do I get my refund?", answer: "north" },
  { state: "You took the money for a plan that I ended.", answer: "north" },
  { state: "Please send me a receipt for March.", answer: "north" },
  { state: "The price on the bill is not the one I saw.", answer: "north" },
  { state: "The app crashes when I open it.", answer: "south" },
  { state: "I cannot sign in since the update.", answer: "south" },
  { state: "The page stays empty in Firefox.", answer: "south" },
  { state: "Export fails with an error.", answer: "south" },
  { state: "Search finds nothing any more.", answer: "south" },
  { state: "The upload hangs at 90 percent.", answer: "south" },
];

export const LATE = { type: "noul", instructions: "Did it come late?" } as const;

/** A lesson of `TEAM` by 12 examples. */
export function teamLesson(decider: Pick<Decider, "teach">): Promise<Lesson> {
  return decider.teach(TEAM, EXAMPLES);
}

/** Another lesson of `TEAM`, by fewer examples. */
export function shorterTeamLesson(decider: Pick<Decider, "teach">): Promise<Lesson> {
  return decider.teach(TEAM, EXAMPLES.slice(2, 10));
}

/** A lesson of `LATE`. */
export function lateLesson(decider: Pick<Decider, "teach">): Promise<Lesson> {
  const states = ["The parcel arrived", "My order came", "The courier was here", "The delivery was made"];
  return decider.teach(
    LATE,
    states.flatMap((state) => [
      { state: `${state} three days after the date that you named.`, answer: true },
      { state: `${state} on the day that you named.`, answer: false },
    ]),
  );
}
