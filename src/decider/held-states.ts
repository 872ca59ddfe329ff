/** Where a state is held. */
interface Place<M> {
  readonly member: M;
  /** Whether the engine that holds it is still there. */
  readonly isHere: () => boolean;
}

/** Which of several engines hold which states. */
export class HeldStates<M> {
  readonly #places = new Map<string, Set<Place<M>>>();

  /** @returns what forgets the place again. */
  add(state: string, place: Place<M>): () => void {
    const places = this.#places.get(state) ?? new Set();
    this.#places.set(state, places.add(place));
    return () => {
      places.delete(place);
      if (places.size === 0 && this.#places.get(state) === places) this.#places.delete(state);
    };
  }

  /** The engine that holds the state; undefined if none does. */
  holderOf(state: string): M | undefined {
    for (const { member, isHere } of this.#places.get(state) ?? []) if (isHere()) return member;
    return undefined;
  }
}
