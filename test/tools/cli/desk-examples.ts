/**
 * Examples of a choice whose keys say nothing, so that the model alone is right by chance: what is alive is for the desk "north", what is built for the
 * desk "south".
 */
const ALIVE = ["cat", "dog", "horse", "cow", "goat", "sheep", "duck", "rabbit", "hen", "pony", "mouse", "donkey"];
const BUILT = ["printer", "router", "engine", "pump", "drill", "laptop", "heater", "scanner", "fridge", "lamp", "fan", "radio"];
const SAID = ["is not well today", "was brought in on Monday"];

export const DESK = { type: "choice", instructions: "Which desk is it for?", criteria: { north: null, south: null } } as const;
/** The same question, as flags. */
export const DESK_FLAGS = ["--choose", "Which desk is it for? south, north"] as const;

export interface DeskExample {
  readonly text: string;
  readonly label: "north" | "south";
}

export const DESK_EXAMPLES: readonly DeskExample[] = SAID.flatMap((said) =>
  ALIVE.flatMap((name, i): DeskExample[] => [
    { text: `The ${name} ${said}.`, label: "north" },
    { text: `The ${BUILT[i]} ${said}.`, label: "south" },
  ]),
);

export const deskCsv = (head = "text,label"): string => `${head}\n${DESK_EXAMPLES.map(({ text, label }) => `${text},${label}\n`).join("")}`;
