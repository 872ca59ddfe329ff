/** A position in a source file. */
interface Place {
  line: number;
  column: number;
}

interface Range {
  start: Place;
  end: Place;
}

/** istanbul's figures of one file: what is counted, by key, and the counts by the same keys. */
export interface FileFigures {
  statementMap: Record<string, Range>;
  fnMap: Record<string, { decl: Range }>;
  branchMap: Record<string, { type: string; loc: Range; locations: unknown[] }>;
  s: Record<string, number>;
  f: Record<string, number>;
  b: Record<string, number[]>;
}

/** The part of istanbul's coverage map that is used here. */
export interface CoverageMap {
  files(): string[];
  fileCoverageFor(file: string): { data: FileFigures };
  filter(keeps: (file: string) => boolean): void;
}

/**
 * Counts each statement, function and branch once. A source file may run both in the built package and as vitest transforms it. The two source
 * maps agree on where a piece of code starts but not always on where it ends, and istanbul takes such pieces for two, one of which never ran.
 * Files that hold only types are left out.
 */
export function mergedByPlace(map: CoverageMap): CoverageMap {
  for (const file of map.files()) {
    const { data } = map.fileCoverageFor(file);
    [data.statementMap, data.s] = merged(data.statementMap, data.s, (range) => placeOf(range), sum);
    [data.fnMap, data.f] = merged(data.fnMap, data.f, ({ decl }) => placeOf(decl), sum);
    [data.branchMap, data.b] = merged(
      data.branchMap,
      data.b,
      ({ type, loc, locations }) => `${type} ${locations.length} ${placeOf(loc)}`,
      (counts, others) => counts.map((count, i) => count + (others[i] ?? 0)),
    );
  }
  map.filter((file) => Object.keys(map.fileCoverageFor(file).data.statementMap).length > 0);
  return map;
}

const placeOf = ({ start }: Range): string => `${start.line}:${start.column}`;

const sum = (a: number, b: number): number => a + b;

function merged<Piece, Count>(
  pieces: Record<string, Piece>,
  counts: Record<string, Count>,
  keyOf: (piece: Piece) => string,
  add: (a: Count, b: Count) => Count,
): [Record<string, Piece>, Record<string, Count>] {
  const pieceAt = new Map<string, Piece>();
  const countAt = new Map<string, Count>();
  for (const [key, piece] of Object.entries(pieces)) {
    const count = counts[key];
    if (count === undefined) continue;
    const place = keyOf(piece);
    const before = countAt.get(place);
    if (before === undefined) pieceAt.set(place, piece);
    countAt.set(place, before === undefined ? count : add(before, count));
  }
  return [Object.fromEntries(pieceAt), Object.fromEntries(countAt)];
}
