/** A heap of numbers, the smallest on top. */
export class SmallestFirst {
  readonly #numbers: number[] = [];

  push(number: number): void {
    const numbers = this.#numbers;
    let at = numbers.push(number) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = numbers[parent] ?? 0;
      if (above <= number) break;
      numbers[at] = above;
      at = parent;
    }
    numbers[at] = number;
  }

  /** The smallest number, taken out; undefined when there is none. */
  pop(): number | undefined {
    const numbers = this.#numbers;
    const smallest = numbers[0];
    const last = numbers.pop();
    if (last === undefined || numbers.length === 0) return smallest;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= numbers.length) break;
      const other = numbers[child + 1];
      if (other !== undefined && other < (numbers[child] ?? 0)) child += 1;
      const below = numbers[child] ?? 0;
      if (below >= last) break;
      numbers[at] = below;
      at = child;
    }
    numbers[at] = last;
    return smallest;
  }
}
