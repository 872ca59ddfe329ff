const RATIO = (Math.sqrt(5) - 1) / 2;

/** Where a function with one minimum has it, between `low` and `high`, by golden-section search. */
export function lowest(loss: (x: number) => number, low: number, high: number, steps = 60): number {
  let [left, right] = [high - RATIO * (high - low), low + RATIO * (high - low)];
  let [lossLeft, lossRight] = [loss(left), loss(right)];
  for (let step = 0; step < steps; step++) {
    if (lossLeft < lossRight) {
      [high, right, lossRight] = [right, left, lossLeft];
      left = high - RATIO * (high - low);
      lossLeft = loss(left);
    } else {
      [low, left, lossLeft] = [left, right, lossRight];
      right = low + RATIO * (high - low);
      lossRight = loss(right);
    }
  }
  return (low + high) / 2;
}
