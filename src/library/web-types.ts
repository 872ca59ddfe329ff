// `AsyncDisposable`, for projects whose `lib` is older.
/// <reference lib="esnext.disposable" preserve="true" />

/* eslint-disable @typescript-eslint/no-empty-object-type -- they are merged with those of a project's own */

/** For projects that have neither `lib: ["dom"]` nor `@types/node`: our types name these, and would not compile. Elsewhere this adds nothing. */
declare global {
  interface AbortSignal {}
  interface URL {}
  interface Request {}
  interface RequestInit {}
  interface Response {}
}

export {};
