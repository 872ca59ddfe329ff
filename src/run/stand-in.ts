import type { DecideResponse, Questions, State } from "../decide/types.ts";
import type { Decider } from "../decider/decider.ts";
import { DecideError } from "../errors.ts";

export async function* standIn(
  decider: Pick<Decider, "decide">,
  states: AsyncIterable<State | undefined>,
  { questions, maxErrorRate }: { questions: Questions; maxErrorRate: number | undefined },
): AsyncGenerator<({ index: number } & DecideResponse) | { index: number; error: DecideError }, void, void> {
  const waiting: Promise<DecideResponse | { error: DecideError }>[] = [];
  let index = 0;
  for await (const state of states) {
    waiting.push(
      decider.decide({ state: state as State, questions }, { maxErrorRate }).catch((error: unknown) => {
        if (DecideError.isInstance(error)) return { error };
        throw error;
      }),
    );
    if (waiting.length >= 4) yield { index: index++, ...(await waiting.shift()!) };
  }
  while (waiting.length > 0) yield { index: index++, ...(await waiting.shift()!) };
}
