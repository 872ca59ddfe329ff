/** A manifest states no more digits after the point than mean something. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
