/** The folder of the model's pack, with a slash at its end: for `createDecider({ model })` where umpire does not find this package by itself. */
declare const pack: URL;

declare global {
  /** For projects that have neither `lib: ["dom"]` nor `@types/node`. Elsewhere this adds nothing. */
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it is merged with that of a project's own
  interface URL {}
}

export default pack;
