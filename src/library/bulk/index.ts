export { decideMany } from "./decide-many.ts";
export type { ManyAnswered, ManyFailed, ManyOptions, ManyRequest, ManyResult, ManyStatesOptions, Rows, StreamOfRows } from "./types.ts";
