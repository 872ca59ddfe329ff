/**
 * Whether a name is short and plain, as names in programs are: only such names may stand in a message. Anything else may be what a person wrote about
 * another.
 */
export function isPlain(name: unknown): name is string {
  return typeof name === "string" && /^[\w.:/-]{1,40}$/.test(name);
}

/** The known name that is nearest to a name; of several, the first. @param known one name or more */
export function nearest(name: string, known: readonly string[]): string | undefined {
  // A longer name is nearer to none, and need not be compared to its end.
  const start = name.slice(0, 40);
  return known.toSorted((a, b) => typos(start, a) - typos(start, b))[0];
}

/** Whether a name is another one with a typing error or two. */
export function isNear(name: string, known: string): boolean {
  // Compared only if there may be as few as that.
  return Math.abs(name.length - known.length) <= 2 && typos(name, known) <= (known.length > 5 ? 2 : 1);
}

/** Letters that are missing, too many, wrong or swapped with the next one, whatever their case (optimal string alignment). */
function typos(name: string, known: string): number {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()];
  let before: number[] = [];
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    [before, above, row] = [above, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(row, j - 1) + 1,
          at(above, j) + 1,
          at(above, j - 1) + Number(a[i - 1] !== b[j - 1]),
          isSwapped ? at(before, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(row, b.length);
}

function at(row: readonly number[], j: number): number {
  return row[j] ?? Infinity;
}
